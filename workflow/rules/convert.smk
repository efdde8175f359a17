# A disc in shards, joined, and proved. Exit code 2 says that some files could not be converted: the report and the
# index tell which, and the others are outputs like any.


rule convert:
    input:
        files=files_of,
        plan=rules.plan.output[0],
    output:
        temp(directory(OUT / "shards" / "{disc}" / "{shard}-of-{shards}")),
    params:
        program=PROGRAM,
        version=VERSION,
        sources=quoted_sources,
        settings=settings(),
        store=store(),
    log:
        OUT / "logs" / "convert" / "{disc}" / "{shard}-of-{shards}.log",
    benchmark:
        OUT / "times" / "convert" / "{disc}" / "{shard}-of-{shards}.tsv"
    threads: config["threads"]
    resources:
        mem_mb=memory_of_shard,
    shell:
        "{params.program} convert {params.sources} --out {output:q} --shard {wildcards.shard}/{wildcards.shards} "
        "{params.settings} {params.store} --jobs {threads} --quiet 2> {log:q} || [ $? -eq 2 ]"


def shards_of(wildcards):
    number = shards(wildcards.disc)
    return expand(rules.convert.output, disc=wildcards.disc, shard=range(1, number + 1), shards=number)


# The folder of a disc is relicast's own, with its manifest, so it is no output that Snakemake would clear away: a
# second run touches only what changed, and never what a person changed. The sums stand for it.
rule merge:
    input:
        shards=shards_of,
        plan=rules.plan.output[0],
    output:
        OUT / "sums" / "{disc}.sha256",
    params:
        program=PROGRAM,
        version=VERSION,
        home=home_of,
        store=store(),
    log:
        OUT / "logs" / "merge" / "{disc}.log",
    benchmark:
        OUT / "times" / "merge" / "{disc}.tsv"
    group:
        "publish"
    resources:
        mem_mb=memory_of_disc,
    shell:
        "( {params.program} merge {input.shards:q} --out {params.home:q} {params.store} --quiet || [ $? -eq 2 ] ) 2> {log:q} && "
        "{params.program} verify {params.home:q} --sha256 > {output:q} 2>> {log:q}"


rule prove:
    input:
        files=files_of,
        plan=rules.plan.output[0],
    output:
        OUT / "proofs" / "{disc}.json",
    params:
        program=PROGRAM,
        version=VERSION,
        sources=quoted_sources,
    log:
        OUT / "logs" / "prove" / "{disc}.log",
    benchmark:
        OUT / "times" / "prove" / "{disc}.tsv"
    threads: config["threads"]
    resources:
        mem_mb=memory_of_disc,
    shell:
        "{params.program} prove {params.sources} --jobs {threads} --json > {output:q} 2> {log:q} || [ $? -eq 2 ]"
