# Detects the edition of a disc, and plans its shards.


rule identify:
    input:
        files_of,
    output:
        OUT / "identify" / "{disc}.json",
    params:
        program=PROGRAM,
        version=VERSION,
        sources=quoted_sources,
    log:
        OUT / "logs" / "identify" / "{disc}.log",
    benchmark:
        OUT / "times" / "identify" / "{disc}.tsv"
    group:
        "prepare"
    shell:
        "{params.program} identify --json {params.sources} > {output:q} 2> {log:q}"


rule plan:
    input:
        files=files_of,
        identified=rules.identify.output,
    output:
        OUT / "plans" / "{disc}.json",
    params:
        program=PROGRAM,
        version=VERSION,
        sources=quoted_sources,
        settings=settings(),
        shards=lambda wildcards: shards(wildcards.disc),
    log:
        OUT / "logs" / "plan" / "{disc}.log",
    benchmark:
        OUT / "times" / "plan" / "{disc}.tsv"
    group:
        "prepare"
    shell:
        "{params.program} plan {params.sources} --shards {params.shards} {params.settings} --json > {output:q} 2> {log:q}"
