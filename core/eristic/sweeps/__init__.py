"""What is run: case files, experiment files, and the text that makes two experiments one."""

from eristic.sweeps._credentials import looks_secret
from eristic.sweeps._problems import listing
from eristic.sweeps.bindings import ALL_ROLES, RoleChoice, parse_role, parse_roles
from eristic.sweeps.calls import CallBounds
from eristic.sweeps.case_files import (
    is_table,
    read_cases,
    read_jsonl,
    read_logicom_csv,
    unique_keys,
)
from eristic.sweeps.cases import CaseSet, Remark, case_set, cases_digest, select
from eristic.sweeps.drafts import Override, merge, parse_experiment, parse_override
from eristic.sweeps.experiment import (
    STARTER,
    CaseSource,
    Draft,
    Experiment,
    repetitions_of,
    resolve,
    tell_repetitions,
)
from eristic.sweeps.specs import canonical_spec, difference

__all__ = [
    "ALL_ROLES",
    "STARTER",
    "CallBounds",
    "CaseSet",
    "CaseSource",
    "Draft",
    "Experiment",
    "Override",
    "Remark",
    "RoleChoice",
    "canonical_spec",
    "case_set",
    "cases_digest",
    "difference",
    "listing",
    "is_table",
    "looks_secret",
    "merge",
    "parse_experiment",
    "parse_override",
    "parse_role",
    "parse_roles",
    "read_cases",
    "read_jsonl",
    "read_logicom_csv",
    "repetitions_of",
    "resolve",
    "select",
    "tell_repetitions",
    "unique_keys",
]
