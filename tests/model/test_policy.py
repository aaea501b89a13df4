"""The office's policy: read strictly, checked before signing, named in the record, and asked again when a record is
verified."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.language import speaking
from dpwizard.decision import read_decision
from dpwizard.records import policy
from dpwizard.signing import RecordFiles, office, signing
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import judged, people, request, small

TEXT = """
format = "dpwizard.policy/1"
name = "County policy 2026"
largest_epsilon = 3
mechanisms = ["geometric", "laplace"]
roles = ["proposes", "approves"]
filled = ["$.details.necessity", "$.details.review_date"]
"""


def read(text: str = TEXT) -> policy.PolicyFile:
    return policy.read_policy(text.encode(errors="surrogateescape"), "office.toml")


def broken(text: str, **changes: Any) -> list[tuple[str, str]]:
    release = changes.pop("release", {})
    raw = example("durham", **changes)
    raw["release"] |= release
    inside = changes.get("epsilon", 2.197224577336219) == 2.197224577336219
    return [(found.where, found.message) for found in policy.breaches(read(text).policy, read_decision(raw), inside)]


signature = functools.partial(request, time=STATED.time)


def test_a_release_without_noise_breaks_a_largest_epsilon() -> None:
    raw = example("bon_exact_mean", outcome="approve")
    for line in ("largest_epsilon = 3", "largest_epsilon_in_all = 3"):
        policy_file = read(f'format = "dpwizard.policy/1"\nname = "x"\n{line}\n')
        found = policy.breaches(policy_file.policy, read_decision(raw), None)
        assert [breach.where for breach in found] == ["$.release.mechanism"]


# -------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("format = ", "office.toml", "is not TOML"),
        ("\udcff", "office.toml", "UTF-8"),
        ('format = "dpwizard.policy/1"', "office.toml: name", "is missing"),
        ('format = "dpwizard.policy/2"\nname = "x"', "office.toml: format", "not a version this program can read"),
        (TEXT + "largest = 3", "office.toml: largest", "is not a field here"),
        (TEXT.replace("= 3", "= -3"), "office.toml: largest_epsilon", "must be greater than 0; found -3"),
        (TEXT.replace("= 3", '= "3"'), "office.toml: largest_epsilon", "must be a number"),
        (TEXT.replace('"laplace"', '"uniform"'), "office.toml: mechanisms[1]", "uniform"),
        (TEXT.replace("necessity", "necesity"), "office.toml: filled[0]", "must be the path of a field of a decision"),
        (TEXT.replace('"approves"', '" "'), "office.toml: roles[1]", "must be a role"),
        (TEXT + "largest_epsilon = 4", "office.toml", "is not TOML"),
        (TEXT.replace("= 3", "= nan"), "office.toml: largest_epsilon", "must be"),
    ],
)
def test_a_policy_that_is_not_understood_is_refused_by_field(text: str, where: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(text)
    assert refused.value.where == where
    assert words in refused.value.message


# ------------------------------------------------------------------------------------------- keeping


@pytest.mark.parametrize(
    ("text", "changes", "where"),
    [
        (TEXT.replace("= 3", "= 2.1"), {}, "$.epsilon"),
        (TEXT, {"release": {"repetitions": 2}}, "$.epsilon"),
        (
            TEXT + "largest_epsilon_in_all = 3",
            {"release": {"spent": [{"epsilon": 1, "neighbours": "add_remove"}]}},
            "$.release.spent",
        ),
        (
            TEXT + "largest_epsilon_in_all = 9",
            {"release": {"spent": [{"epsilon": 1, "neighbours": "replace"}]}},
            "$.release.spent",
        ),
        (TEXT.replace('"geometric", ', ""), {}, "$.release.mechanism"),
        (TEXT + 'neighbours = ["replace"]', {}, "$.release.neighbours"),
        (TEXT + "exceptions = false", {"epsilon": 2.19, "exception_reason": "x"}, "$.epsilon"),
        (TEXT.replace("necessity", "advice"), {}, "$.details.advice"),
        (TEXT.replace("$.details.necessity", "$.release.spent"), {}, "$.release.spent"),
    ],
)
def test_each_breach_is_named_with_its_place(text: str, changes: dict[str, Any], where: str) -> None:
    assert broken(TEXT) == []
    found = broken(text, **changes)
    assert [place for place, _ in found] == [where]
    assert "County policy 2026" in found[0][1]


def test_what_was_spent_is_added_as_the_decimals_are_written() -> None:
    release = {"neighbours": "add_remove", "spent": [{"record": "r", "epsilon": 0.2, "neighbours": "add_remove"}]}
    text = 'format = "dpwizard.policy/1"\nname = "p"\nlargest_epsilon_in_all = 1\n'
    raw = example("durham", outcome="approve")
    raw["release"] |= release
    for epsilon, kept in ((0.8, True), (0.8000001, False)):
        found = policy.breaches(read(text).policy, read_decision(raw | {"epsilon": epsilon}))
        assert [one.where for one in found] == ([] if kept else ["$.release.spent"])


def test_delta_is_counted_with_every_repetition_as_epsilon_is() -> None:
    gaussian = {"mechanism": "gaussian", "delta": 1e-6, "repetitions": 3}
    text = 'format = "dpwizard.policy/1"\nname = "County policy 2026"\nlargest_delta = {}\n'
    assert broken(text.format("0.000003"), release=gaussian) == []
    ((where, words),) = broken(text.format("0.000002"), release=gaussian)
    assert (where, words) == ("$.release.delta", 'comes to 3e-06; the policy "County policy 2026" allows at most 2e-06')
    ((_, words),) = broken(text.format("0.0000005"), release={**gaussian, "repetitions": 1})
    assert words == 'comes to 1e-06; the policy "County policy 2026" allows at most 5e-07'


def test_a_refusal_may_have_any_epsilon_but_its_fields_are_filled() -> None:
    assert (
        broken(TEXT.replace("= 3", "= 1").replace("necessity", "advice"), outcome="reject")[0][0] == "$.details.advice"
    )


# ------------------------------------------------------------------------------------------- signing


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> RecordFiles:
    target = RecordFiles.beside(tmp_path_factory.mktemp("policy") / "r")
    signing.sign_new(read_decision(example("durham")), target, signature(people()[0]), policy=read())
    return target


def copied(target: RecordFiles, folder: Path) -> RecordFiles:
    for path in target.there:
        (folder / path.name).write_bytes(path.read_bytes())
    return RecordFiles.beside(folder / "r")


def test_a_decision_that_breaks_the_policy_is_not_signed(tmp_path: Path) -> None:
    target = RecordFiles.beside(tmp_path / "r")
    with pytest.raises(InvalidInput, match="allows at most 2"):
        signing.sign_new(
            read_decision(example("durham")), target, signature(people()[0]), policy=read(TEXT.replace("= 3", "= 2"))
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_verification_says_which_required_signature_is_missing_until_it_is_there(
    signed: RecordFiles, tmp_path: Path
) -> None:
    target = copied(signed, tmp_path)
    for asked in (None, read()):  # the record names the roles itself
        found = judged(target, now=STATED.time, policy=asked)
        assert found.ok
        assert found.awaited == ("a signature is still missing in the role of: approves",)
        assert found.sentence.endswith("Not complete: a signature is still missing in the role of: approves.")
        with speaking("de"):
            assert found.sentence.text().endswith(
                "Nicht vollständig: eine Signatur fehlt noch in der Rolle: genehmigt."
            )
    signing.sign_further(target, signature(people()[1], "approves"), policy=read())
    found = judged(target, now=STATED.time, policy=read())
    assert (found.ok, found.awaited) == (True, ())
    assert {
        finding.check: finding.ok for finding in found.findings if finding.check in ("roles", "policy", "kept")
    } == {"roles": None, "policy": True, "kept": True}  # nobody is trusted here


@pytest.mark.slow
def test_each_role_asked_for_needs_a_certificate_of_its_own(tmp_path: Path) -> None:
    three = read(TEXT.replace('"approves"]', '"approves", "data_protection_officer"]'))
    target = RecordFiles.beside(tmp_path / "r")
    ann, bob, cleo = people()
    signing.sign_new(read_decision(example("durham")), target, signature(ann), policy=three)
    signing.sign_further(target, signature(ann, "data_protection_officer"), policy=three)
    own = "a signature with a certificate of its own is still missing in the role of: data protection officer"
    assert judged(target, now=STATED.time).awaited == (f"a signature is still missing in the role of: approves; {own}",)
    signing.sign_further(target, signature(bob, "approves"), policy=three)
    assert judged(target, now=STATED.time, policy=three).awaited == (own,)
    signing.sign_further(target, signature(cleo), policy=three)  # then Cleo proposes, and Ann is the officer
    found = judged(target, now=STATED.time, policy=three)
    assert (found.ok, found.awaited) == (True, ())


@pytest.mark.slow
def test_an_approval_before_the_proposal_that_another_program_let_pass_is_awaited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = RecordFiles.beside(tmp_path / "r")
    with pytest.raises(SigningProblem, match="nobody has proposed"):
        signing.sign_new(read_decision(example("durham")), target, signature(people()[1], "approves"), policy=read())
    with monkeypatch.context() as patch:
        patch.setattr("dpwizard.signing.required_signatures.require_order", lambda *_: None)
        signing.sign_new(read_decision(example("durham")), target, signature(people()[1], "approves"), policy=read())
        signing.sign_further(target, signature(people()[0]), policy=read())
    found = judged(target, now=STATED.time)
    late = "a signature after the proposal is still missing in the role of: approves; it was given before"
    assert (found.ok, found.awaited) == (True, (late,))
    assert [finding.ok for finding in found.findings if finding.check == "order"] == [False]
    signing.sign_further(target, signature(people()[1], "approves"), policy=read())
    assert judged(target, now=STATED.time).awaited == ()


@pytest.mark.slow
def test_another_policy_is_noticed_when_verifying_and_when_signing_further(signed: RecordFiles, tmp_path: Path) -> None:
    other = read(TEXT.replace("2026", "2027").replace("= 3", "= 2"))
    found = judged(signed, now=STATED.time, policy=other)
    said = {finding.check: finding.why for finding in found.findings if finding.ok is False}
    assert 'made under another policy, "County policy 2026"' in said["policy"]
    assert "allows at most 2" in said["kept"]
    with pytest.raises(SigningProblem, match='under the policy "County policy 2026"'):
        signing.sign_further(copied(signed, tmp_path), signature(people()[1], "approves"), policy=other)
    without = RecordFiles.beside(tmp_path / "without")
    signing.sign_new(read_decision(example("durham")), without, signature(people()[0]))
    with pytest.raises(SigningProblem, match="made without a policy, not under this one"):
        signing.sign_further(without, signature(people()[1], "approves"), policy=other)


@pytest.mark.slow
def test_only_the_record_that_was_seen_is_signed_further_or_published(signed: RecordFiles, tmp_path: Path) -> None:
    target, seen = copied(signed, tmp_path), hashlib.sha256(signed.json.read_bytes()).hexdigest()
    before = [path.read_bytes() for path in target.there]
    with pytest.raises(SigningProblem, match="no longer the record that was shown"):
        signing.sign_further(target, signature(people()[1], "approves"), seen="0" * 64)
    public = RecordFiles.beside(tmp_path / "public")
    with pytest.raises(SigningProblem, match="no longer the record that was shown"):
        signing.sign_public(target, public, signature(people()[1]), seen="0" * 64)
    assert [path.read_bytes() for path in target.there] == before
    assert not public.json.exists()
    signing.sign_further(target, signature(people()[1], "approves"), seen=seen)
    assert judged(target, now=STATED.time).awaited == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verdict", "counts"),
    [("approve", True), ("reject", False), ("none", False)],
)
def test_an_approval_counts_by_its_verdict(tmp_path: Path, verdict: str, counts: bool) -> None:
    target = RecordFiles.beside(tmp_path / "r")
    signing.sign_new(read_decision(example("durham")), target, signature(people()[0]), policy=read())
    signing.sign_further(
        target, dataclasses.replace(signature(people()[1], "approves"), verdict=verdict), policy=read()
    )
    assert (judged(target, now=STATED.time).awaited == ()) == counts


# ----------------------------------------------------------------------------------------- exceptions


@pytest.mark.slow
def test_withdrawn_approval_counts_no_more(signed: RecordFiles, tmp_path: Path) -> None:
    target = copied(signed, tmp_path)
    signing.sign_further(target, signature(people()[1], "approves"), policy=read())
    assert judged(target, now=STATED.time).awaited == ()
    signing.sign_further(target, signature(people()[1], "approves", "withdraw"), policy=read())
    assert "a signature is still missing in the role of: approves" in judged(target, now=STATED.time).sentence


@pytest.mark.slow
def test_conditions_are_met_once_the_one_who_set_them_says_so(signed: RecordFiles, tmp_path: Path) -> None:
    target = copied(signed, tmp_path)
    conditional = signature(people()[1], "approves", "approve_with_conditions")
    signing.sign_further(target, dataclasses.replace(conditional, conditions=("Review in May",)), policy=read())
    found = judged(target, now=STATED.time, policy=read())
    assert found.awaited == ()
    (said,) = (finding for finding in found.findings if finding.check == "conditions")
    assert (said.ok, "the conditions of Bob" in said.why) == (None, True)
    signing.sign_further(target, signature(people()[1], "approves"), policy=read())
    assert all(finding.check != "conditions" for finding in judged(target, now=STATED.time).findings)


@pytest.mark.slow
@pytest.mark.parametrize("conditions", [(), ("  ", "")])
def test_approval_with_conditions_that_names_none_is_refused_and_by_another_program_not_given(
    signed: RecordFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, conditions: tuple[str, ...]
) -> None:
    target = copied(signed, tmp_path)
    conditional = signature(people()[1], "approves", "approve_with_conditions")
    with pytest.raises(InvalidInput, match="names none"):
        signing.sign_further(target, dataclasses.replace(conditional, conditions=conditions), policy=read())
    monkeypatch.setattr(signing, "_conditions", lambda *_: conditions)
    signing.sign_further(target, conditional, policy=read())
    assert "a signature is still missing in the role of: approves" in judged(target, now=STATED.time).sentence


@pytest.mark.slow
def test_conditions_of_the_decision_are_those_of_an_approval_that_states_no_others(tmp_path: Path) -> None:
    details = small().details.model_copy(update={"conditions": "Review in May"})
    target = RecordFiles(folder=tmp_path, name="r")
    conditional = signature(people()[1], "approves", "approve_with_conditions")
    signing.sign_new(small(details=details), target, conditional)
    assert judged(target, now=STATED.time).signers[0].conditions == ("Review in May",)


# ------------------------------------------------------------------------------------- where trust lies


@pytest.mark.slow
def test_trust_is_taken_from_the_folder_beside_the_policy_and_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, home = tmp_path / "office", tmp_path / "user"
    monkeypatch.setattr(Path, "home", lambda: home)
    assert office.trust_places((), folder / "office.toml") == ()
    (folder / "trust").mkdir(parents=True)
    own = office.user_trust()
    own.mkdir(parents=True)
    given = tmp_path / "ann.pem"
    assert office.trust_places((given,), folder / "office.toml") == (given, folder / "trust", own)
    target = RecordFiles.beside(tmp_path / "r")
    signing.sign_new(read_decision(example("durham")), target, signature(people()[0]))
    assert judged(target, office.trust_places(), now=STATED.time).verdict == "unchanged"
    (own / "ann.pem").write_bytes(people()[0].certificate_pem())
    assert judged(target, office.trust_places(), now=STATED.time).verdict == "trusted"
