#!/usr/bin/env python3
"""Checks the Kubernetes manifests and docker-compose.yml against their schemas, and the names in them.

    manifests.py [--intentd PATH]

With --intentd the configuration in the ConfigMap is checked by intentd itself, and each command line of a container or
a service must be valid. The exit status is 0 when everything holds; every check is first tried on a broken
copy that it must refuse.
"""

import argparse
import copy
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
KUBERNETES = ROOT / "config/kubernetes"
VERSION = "1.34"


class Wrong(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def manifests(variant):
    """All documents of a way to deploy, by kind and name."""
    found = {}
    for folder in (KUBERNETES / "common", KUBERNETES / variant):
        listed = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
        files = [file.name for file in folder.glob("*.yaml") if file.name != "kustomization.yaml"]
        expect(sorted(set(listed) - {"../common"}) == sorted(files), f"{folder} lists {listed}, there are {files}")
        for file in files:
            for document in yaml.safe_load_all((folder / file).read_text()):
                found[document["kind"], document["metadata"]["name"]] = document
    return found


def check_schema(documents):
    for (kind, name), document in documents.items():
        try:
            kubernetes_validate.validate(document, VERSION, strict=True)
        except kubernetes_validate.ValidationError as error:
            raise Wrong(f"{kind} {name}: {error.message}")


def pods(documents):
    for (kind, name), document in documents.items():
        if kind in ("StatefulSet", "Deployment", "Job"):
            yield document, document["spec"]["template"]


def check_references(documents):
    """What a schema cannot express: that names refer to existing objects."""
    for document, template in pods(documents):
        name = document["metadata"]["name"]
        labels = template["metadata"]["labels"]
        pod = template["spec"]
        expect(pod["securityContext"]["runAsNonRoot"], f"{name} may run as root")
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        for claim in document["spec"].get("volumeClaimTemplates", []):
            volumes[claim["metadata"]["name"]] = claim
        for volume in volumes.values():
            if "configMap" in volume:
                data = documents["ConfigMap", volume["configMap"]["name"]]["data"]
                for item in volume["configMap"]["items"]:
                    expect(item["key"] in data, f"{name}: the ConfigMap has no {item['key']}")
            if "secret" in volume:
                expect(("Secret", volume["secret"]["secretName"]) in documents, f"{name}: there is no such Secret")
        for container in pod["containers"]:
            expect(container["securityContext"]["readOnlyRootFilesystem"], f"{name}: the root can be written to")
            for mount in container["volumeMounts"]:
                expect(mount["name"] in volumes, f"{name}: there is no volume {mount['name']}")
            variables = {variable["name"]: variable.get("value") for variable in container["env"]}
            data = variables["INTENTD_DATA"]
            places = [mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")]
            expect(any(data.startswith(place + "/") for place in places), f"{name}: {data} cannot be written to")
            for word in container["args"]:
                if word.startswith("$("):
                    expect(word[2:-1] in variables, f"{name}: there is no variable {word}")
        if document["kind"] == "StatefulSet":
            expect(("Service", document["spec"]["serviceName"]) in documents, f"{name}: there is no such Service")
        if document["kind"] != "Job":
            selector = document["spec"]["selector"]["matchLabels"]
            expect(selector.items() <= labels.items(), f"{name} does not select its own pods")
    for (kind, name), document in documents.items():
        if kind == "Service" and document["spec"].get("ports"):
            selector = document["spec"]["selector"]
            chosen = [t for _, t in pods(documents) if selector.items() <= t["metadata"]["labels"].items()]
            expect(len(chosen) == 1, f"the service {name} is for {len(chosen)} kinds of pods")
            ports = {port["name"] for container in chosen[0]["spec"]["containers"] for port in container["ports"]}
            wanted = {port["targetPort"] for port in document["spec"]["ports"]}
            expect(wanted <= ports, f"the service {name} is for ports {wanted}, its pods have {ports}")
        if kind == "PodDisruptionBudget":
            selector = document["spec"]["selector"]["matchLabels"]
            chosen = [d for d, template in pods(documents) if selector.items() <= template["metadata"]["labels"].items()]
            expect(len(chosen) == 1, f"the budget {name} is for {len(chosen)} kinds of pods")
            expect(chosen[0]["spec"]["replicas"] > 1, f"the budget {name} keeps the only pod from being moved")
    workers = [(document, container) for document, template in pods(documents) if document["kind"] == "StatefulSet"
               for container in template["spec"]["containers"]]
    expect(sorted(container["args"][1] for _, container in workers) == ["confirm", "handle", "record", "resolve"],
           "not each role is done")
    names = [(document["metadata"]["name"], container["args"][3]) for document, container in workers]
    expect(len(set(names)) == len(names), "two workers of one data directory have the same name")
    for document, container in workers:
        without_ledger = {"name": "INTENTD_LEDGER", "value": "none"} in container["env"]
        several = len({document["metadata"]["name"] for document, _ in workers}) > 1 or document["spec"]["replicas"] > 1
        expect(without_ledger == several, "a ledger is kept by several, or none although there is one pod alone")
        if container["args"][1] == "record":
            expect(document["spec"]["replicas"] == 1, "two recorders make two files")


def check_configuration(documents, intentd):
    """Runs `intentd config check` on the ConfigMap as a pod would find it, with the secrets in place."""
    _, template = next(pods(documents))
    for volume in template["spec"]["volumes"]:
        if "configMap" in volume:
            break
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        data = documents["ConfigMap", volume["configMap"]["name"]]["data"]
        for key in documents["Secret", "intentd"]["stringData"]:
            (place / key).write_text("x\n")
        for item in volume["configMap"]["items"]:
            file = place / "config" / item["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(data[item["key"]].replace("/run/secrets/intentd", directory))
        done = subprocess.run([intentd, "config", "check"], cwd=place, capture_output=True, text=True, env={})
        expect(done.returncode == 0, f"the ConfigMap is no configuration: {done.stderr}{done.stdout}")


def check_command(intentd, words, where):
    """intentd must understand a command line. With a missing file it stops right after that: 66."""
    words = [word.replace("$(POD_NAME)", "intentd-resolve-0") for word in words]
    done = subprocess.run([intentd, *words, "--config", "/nonexistent"], capture_output=True, text=True, env={})
    expect(done.returncode == 66, f"{where}: `intentd {shlex.join(words)}` ends with {done.returncode}: {done.stderr}")


def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def check_compose(document):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", file.name]
        done = subprocess.run(command, capture_output=True, text=True)
    expect(done.returncode == 0, f"docker-compose.yml: {done.stdout}{done.stderr}")


def refuses(check, document, doctor):
    """Whether a check refuses a broken document."""
    copied = copy.deepcopy(document)
    doctor(copied)
    try:
        check(copied)
    except (Wrong, KeyError):
        return
    raise Wrong(f"{check.__name__} lets a doctored document pass")


def check_probes(documents):
    """Probes use each process's monitoring port, and no two containers of a pod listen on the same port."""
    for document, template in pods(documents):
        if document["kind"] == "Job":
            continue
        ports = []
        for container in template["spec"]["containers"]:
            name = f"{document['metadata']['name']}/{container['name']}"
            listening = [e["value"] for e in container["env"] if e["name"] == "INTENTD_MONITORING_LISTEN"]
            port = int(listening[0].rpartition(":")[2]) if listening else None
            ports.append(port)
            for probe, path in (("readinessProbe", "/readyz"), ("livenessProbe", "/livez")):
                if container[probe]["httpGet"] != {"path": path, "port": port}:
                    raise Wrong(f"{name}: {probe} does not ask {path} where INTENTD_MONITORING_LISTEN has it, {listening}")
        if len(set(ports)) != len(ports):
            raise Wrong(f"{document['metadata']['name']}: two containers listen on one port: {ports}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", type=os.path.abspath)
    options = parser.parse_args()
    variants = {variant: manifests(variant) for variant in ("several-nodes", "one-pod")}
    for documents in variants.values():
        check_schema(documents)
        check_references(documents)
    documents = variants["several-nodes"]
    resolve = ("StatefulSet", "intentd-resolve")
    record = ("StatefulSet", "intentd-record")
    refuses(check_schema, documents, lambda d: d[resolve]["spec"].update(replica=2))
    refuses(check_schema, documents, lambda d: d[resolve]["spec"].update(replicas="two"))
    refuses(check_references, documents, lambda d: d[record]["spec"].update(replicas=2))
    refuses(check_references, documents, lambda d: d[resolve]["spec"].update(serviceName="other"))
    ports = lambda d: d["Service", "intentd-gateway"]["spec"]["ports"][0]
    refuses(check_references, documents, lambda d: ports(d).update(targetPort="monitor"))
    refuses(check_references, documents, lambda d: d["ConfigMap", "intentd"]["data"].pop("restaurant.yaml"))
    refuses(check_references, variants["one-pod"], lambda d: d["StatefulSet", "intentd"]["spec"].update(replicas=2))
    for checked in variants.values():
        check_probes(checked)
    probe = lambda d: d[resolve]["spec"]["template"]["spec"]["containers"][0]["livenessProbe"]["httpGet"]
    refuses(check_probes, documents, lambda d: probe(d).update(port=9465))
    refuses(check_probes, documents, lambda d: probe(d).update(path="/alive"))
    services = compose()
    check_compose(services)
    refuses(check_compose, services, lambda d: d["services"]["resolve"].update(hostnam="resolve"))

    if options.intentd:
        check = lambda d: check_configuration(d, options.intentd)
        check.__name__ = "check_configuration"
        check(documents)
        refuses(check, documents, lambda d: d["ConfigMap", "intentd"]["data"].update({"intentd.yaml": "topic: {}\n"}))
        commands = [
            (container["args"], document["metadata"]["name"])
            for documents in variants.values()
            for document, template in pods(documents)
            for container in template["spec"]["containers"]
        ]
        commands += [
            (service["command"], name)
            for name, service in services["services"].items()
            if service["image"].startswith("intentd") and service["command"] != ["--help"]
        ]
        for words, where in commands:
            check_command(options.intentd, words, where)
        check = lambda words: check_command(options.intentd, words, "doctored")
        check.__name__ = "check_command"
        refuses(check, ["work", "resolve"], lambda words: words.append("--nme"))
        print(f"{len(commands)} command lines and the ConfigMap are as intentd wants them")
    count = sum(len(documents) for documents in variants.values())
    print(f"{count} manifests are as Kubernetes {VERSION} wants them, docker-compose.yml as Compose does")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(str(wrong))
