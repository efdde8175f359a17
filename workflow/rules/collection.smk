# The index of all discs.


def parts(wildcards):
    """All outputs of all discs."""
    rules_of_disc = [rules.merge, rules.clear, rules.prove]
    rules_of_disc += [rules.gallery] if config["gallery"] else []
    rules_of_disc += [rules.package] if config["package"] != "none" else []
    return [path for rule in rules_of_disc for path in expand(rule.output, disc=DISCS)]


def index_command():
    homes = shlex.join(str(OUT / "discs" / disc) for disc in DISCS)
    proofs = shlex.quote(str(OUT / "proofs" / "{name}.json"))
    index = shlex.quote(str(OUT / "index"))
    # Exit code 2: a disc failed, which the index lists.
    return f"{PROGRAM} collection {homes} --proofs {proofs} --to {index} || [ $? -eq 2 ]"


rule collection:
    input:
        parts,
    output:
        OUT / "index" / "collection.json",
    log:
        OUT / "logs" / "collection.log",
    params:
        version=VERSION,
        command=lambda wildcards: index_command(),
    shell:
        "( {params.command} ) > {log:q} 2>&1"
