# Makes a gallery and a package of a converted disc.


rule gallery:
    input:
        rules.merge.output,
    output:
        OUT / "galleries" / "{disc}.done",
    params:
        program=PROGRAM,
        version=VERSION,
        home=home_of,
    log:
        OUT / "logs" / "gallery" / "{disc}.log",
    benchmark:
        OUT / "times" / "gallery" / "{disc}.tsv"
    group:
        "publish"
    shell:
        "{params.program} gallery {params.home:q} > {log:q} 2>&1 && touch {output:q}"


rule package:
    input:
        rules.merge.output,
    output:
        directory(OUT / "packages" / "{disc}"),
    params:
        program=PROGRAM,
        version=VERSION,
        home=home_of,
        container=lambda wildcards: {"folder": ""}.get(config["package"], f"--{config['package']}"),
        date=f"--date {shlex.quote(config['date'])}" if config["date"] else "",
    log:
        OUT / "logs" / "package" / "{disc}.log",
    benchmark:
        OUT / "times" / "package" / "{disc}.tsv"
    group:
        "publish"
    shell:
        "{params.program} package {params.home:q} --to {output:q} --bagit --ro-crate --name {wildcards.disc:q} "
        "{params.container} {params.date} > {log:q} 2>&1"
