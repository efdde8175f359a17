"""Checks a package of relicast with other programs: `check.py bag FOLDER` or `check.py crate FOLDER CONTEXT`.

CONTEXT is the JSON-LD context of RO-Crate 1.2 as a file. The validator is given it in place of the web page, so
that the check is the same without a network.
"""

import json
import sys
from pathlib import Path

URL = "https://w3id.org/ro/crate/1.2/context"


def check_bag(folder):
    import bagit

    bag = bagit.Bag(folder)
    bag.validate(processes=1)
    algorithms = sorted(bag.algorithms)
    if algorithms != ["sha256", "sha512"]:
        raise SystemExit(f"the bag has {algorithms}")
    if not bag.has_oxum():
        raise SystemExit("the bag has no Payload-Oxum")


def check_crate(folder, context):
    import requests
    from rocrate_validator import models, services
    from rocrate_validator.utils.http import HttpRequester

    text = Path(context).read_bytes()
    if json.loads(text)["@id"] != URL:
        raise SystemExit(f"{context} is not the context of RO-Crate 1.2")

    def get(self, url, *arguments, **options):
        if str(url).rstrip("/") != URL:
            raise requests.ConnectionError(f"not asked for here: {url}")
        response = requests.Response()
        response.status_code = 200
        response.url = URL
        response.encoding = "utf-8"
        response.headers["Content-Type"] = "application/ld+json"
        response._content = text
        return response

    HttpRequester.get = get
    settings = services.ValidationSettings(
        rocrate_uri=folder,
        profile_identifier="ro-crate-1.2",
        requirement_severity=models.Severity.REQUIRED,
    )
    result = services.validate(settings)
    for issue in result.get_issues():
        print(f"{issue.check.identifier}: {issue.message}", file=sys.stderr)
    if result.has_issues():
        raise SystemExit("the crate is not valid")


def main():
    kind, folder, *rest = sys.argv[1:]
    match kind:
        case "bag":
            check_bag(folder)
        case "crate":
            check_crate(folder, *rest)
        case _:
            raise SystemExit(f"no check: {kind}")


main()
