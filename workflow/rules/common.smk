# Shared by the rules: paths, files of a disc, arguments of the program.

import json
import re
import shlex
import subprocess
from pathlib import Path

OUT = Path(config["out"])
DISCS = config["discs"]
PROGRAM = shlex.join(config["program"])
# A parameter of the rules, so that another version of relicast repeats them.
VERSION = subprocess.run([*config["program"], "--version"], check=True, capture_output=True, text=True).stdout.strip()
# Jobs read this file again on their node; only the main process has the whole workflow.
IS_MAIN = workflow.is_main_process


wildcard_constraints:
    disc=r"[A-Za-z0-9_][A-Za-z0-9_.-]*",
    shard=r"\d+",
    shards=r"\d+",


def sources(disc):
    """The inputs of a disc: folders, images or files."""
    return DISCS[disc] if isinstance(DISCS[disc], list) else [DISCS[disc]]


def files_of(wildcards):
    """All files of a disc, so that a changed file repeats the conversion. Tracks are next to their image.

    Missing inputs are left out: the jobs of that disc fail, and the other discs continue.
    """
    found = []
    for source in map(Path, sources(wildcards.disc)):
        if source.is_dir():
            found += sorted(path for path in source.rglob("*") if path.is_file())
        elif source.is_file():
            found += [source, *beside(source)]
    return found


def beside(image):
    """The further files of a disc image, next to the given one."""
    if image.suffix.lower() == ".cue":
        lines = image.read_text(errors="replace").splitlines()
        names = [re.match(r'\s*FILE\s+(?:"(.+?)"|(\S+))', line, re.IGNORECASE) for line in lines]
        paths = [image.parent / (name[1] or name[2]) for name in names if name]
    else:
        paths = [path for path in image.parent.iterdir() if path.stem == image.stem and path != image]
    return sorted(path for path in set(paths) if path.is_file())


def shards(disc):
    """Number of shards of a disc: from the configuration, or by its size."""
    if config["shards"] != "auto":
        return config["shards"]
    size = sum(path.stat().st_size for path in files_of(Wildcards(disc)))
    wanted = -(-size // (config["shard_megabytes"] * 1024 * 1024))
    return min(max(wanted, 1), config["most_shards"])


class Wildcards:
    """Wildcards like those of a rule, for a disc."""

    def __init__(self, disc):
        self.disc = disc


def quoted_sources(wildcards):
    return shlex.join(sources(wildcards.disc))


def home_of(wildcards):
    """The folder of a disc's outputs."""
    return OUT / "discs" / wildcards.disc


def settings():
    """Arguments with the settings; the same for the plan and all shards."""
    return f"--config {shlex.quote(config['settings'])}" if config["settings"] else ""


def store():
    return f"--store {shlex.quote(config['store'])}" if config["store"] else ""


def memory_of_plan(plan, shard=None):
    """Memory of a shard in MiB, computed from the plan; without a shard, the maximum of all shards.

    A worker has a few copies of the largest open file and its dependencies in memory. Measured peaks of real installs are
    lower.
    """
    found = json.loads(Path(plan).read_text())["shards"]
    opened = [part["open_bytes"] for part in found if shard in (None, part["shard"].split("/")[0])]
    return 192 + 8 * max(opened, default=0) // (1024 * 1024)


def memory_of_shard(wildcards, input, attempt):
    return memory_of_plan(input.plan, wildcards.shard) * attempt


def memory_of_disc(wildcards, input, attempt):
    return memory_of_plan(input.plan) * attempt
