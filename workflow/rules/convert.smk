# Converts a disc in shards, merges and proves it. Exit code 2: some files could not be converted. The report and the index
# list them; the other outputs are valid.


rule convert:
    input:
        files=files_of,
        plan=rules.plan.output[0],
    output:
        temp(OUT / "shards" / "{disc}" / "{shard}-of-{shards}.done"),
    params:
        program=PROGRAM,
        version=VERSION,
        shard=lambda wildcards: OUT / "shards" / wildcards.disc / f"{wildcards.shard}-of-{wildcards.shards}",
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
        "( {params.program} convert {params.sources} --out {params.shard:q} --shard {wildcards.shard}/{wildcards.shards} "
        "{params.settings} {params.store} --jobs {threads} --quiet || [ $? -eq 2 ] ) 2> {log:q} && touch {output:q}"


def shards_of(wildcards):
    number = shards(wildcards.disc)
    return expand(rules.convert.output, disc=wildcards.disc, shard=range(1, number + 1), shards=number)


def folders_of(wildcards):
    return [Path(done).with_suffix("") for done in shards_of(wildcards)]


# The folder of a disc is not declared as an output, because Snakemake would delete it before each run. relicast redoes only
# changes, and never overwrites edits. The checksums represent the folder.
rule merge:
    input:
        shards=shards_of,
        plan=rules.plan.output[0],
    output:
        OUT / "sums" / "{disc}.sha256",
    params:
        program=PROGRAM,
        version=VERSION,
        folders=folders_of,
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
        "( {params.program} merge {params.folders:q} --out {params.home:q} {params.store} --quiet || [ $? -eq 2 ] ) 2> {log:q} && "
        "{params.program} verify {params.home:q} --sha256 > {output:q} 2>> {log:q}"


# Deletes merged shards. A rule of its own first renames the folder: if a kill interrupted the deletion of temporary outputs,
# Snakemake would merge the remaining ones.
rule clear:
    input:
        rules.merge.output,
    output:
        OUT / "shards" / "{disc}.cleared",
    params:
        shards=lambda wildcards: OUT / "shards" / wildcards.disc,
        gone=lambda wildcards: OUT / "shards" / f".{wildcards.disc}.gone",
    log:
        OUT / "logs" / "clear" / "{disc}.log",
    group:
        "publish"
    shell:
        "( rm -rf {params.gone:q} && if [ -d {params.shards:q} ]; then mv {params.shards:q} {params.gone:q}; fi && "
        "rm -rf {params.gone:q} ) 2> {log:q} && touch {output:q}"


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
