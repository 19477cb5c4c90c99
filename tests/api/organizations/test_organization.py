import pytest

from tests.factories.organizations import with_new_key

PATH = "/v1/organizations/me"
ORIGINS = f"{PATH}/allowed-origins"


async def test_a_change_answers_like_get_and_leaves_the_rest_as_it_was(banco, rival):
    before = (await banco.get(PATH)).json()["org"]
    answer = await banco.patch(PATH, json={"dataRetentionDays": 30})
    assert answer.status_code == 200
    assert answer.json() == {"org": before | {"dataRetentionDays": 30}}
    answer = await banco.patch(PATH, json={"name": "Banco Nuevo"})
    assert answer.json() == {"org": before | {"dataRetentionDays": 30, "name": "Banco Nuevo"}}
    assert (await banco.get(PATH)).json() == answer.json()
    assert (await banco.patch(PATH, json={})).json() == answer.json()
    assert (await rival.get(PATH)).json()["org"]["dataRetentionDays"] == 365


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x"},
        {"name": "x" * 101},
        {"name": None},
        {"dataRetentionDays": 29},
        {"dataRetentionDays": 3651},
        {"dataRetentionDays": None},
        {"dataRetentionDays": True},
        {"dataRetentionDays": "30"},
        {"dataRetentionDays": 30.5},
        {"name": "Banco Nuevo", "slug": "other"},
        {"name": "Banco Nuevo", "id": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"},
        {"name": "Banco Nuevo", "createdAt": "2026-01-01T00:00:00Z"},
    ],
)
async def test_a_change_out_of_bounds_changes_nothing(banco, body):
    before = (await banco.get(PATH)).json()
    answer = await banco.patch(PATH, json=body)
    assert answer.status_code == 422, answer.text
    assert (await banco.get(PATH)).json() == before


@pytest.mark.parametrize("role", ["REVIEWER", "MEMBER"])
async def test_lower_roles_see_the_organization_and_do_not_change_it(banco, role):
    lower = await with_new_key(banco, role)
    assert (await lower.get(PATH)).status_code == 200
    for answer in (
        await lower.patch(PATH, json={"name": "Otro"}),
        await lower.get(ORIGINS),
        await lower.put(ORIGINS, json={"allowedOrigins": []}),
    ):
        assert answer.status_code == 403


async def test_allowed_origins_are_kept_as_browsers_write_them(banco, rival):
    assert (await banco.get(ORIGINS)).json() == {"allowedOrigins": []}
    given = [
        "https://App.Banco.example",
        "https://app.banco.example:443",
        "https://banco.example:8443",
        "http://localhost:3000",
        "http://[::1]:5173",
    ]
    answer = await banco.put(ORIGINS, json={"allowedOrigins": given})
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "allowedOrigins": [
            "https://app.banco.example",
            "https://banco.example:8443",
            "http://localhost:3000",
            "http://[::1]:5173",
        ]
    }
    assert (await banco.get(ORIGINS)).json() == answer.json()
    assert (await rival.get(ORIGINS)).json() == {"allowedOrigins": []}
    assert (await banco.put(ORIGINS, json={"allowedOrigins": []})).json() == {"allowedOrigins": []}


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "",
        "https://*.banco.example",
        "http://banco.example",
        "https://banco.example/",
        "https://banco.example/page",
        "https://banco.example?x=1",
        "https://banco.example#x",
        "https://user:secret@banco.example",
        "https://banco.example:",
        "https://banco.example:99999",
        "https://banco.example:0443",
        "https://",
        "banco.example",
        "ftp://banco.example",
        "https://ñandú.example",
        "https://banco.example\\@evil.example",
        "https://banco .example",
        "https://" + "x" * 250 + ".example",
    ],
)
async def test_what_is_no_origin_is_refused(banco, origin):
    answer = await banco.put(ORIGINS, json={"allowedOrigins": [origin]})
    assert answer.status_code == 422, answer.text
    assert (await banco.get(ORIGINS)).json() == {"allowedOrigins": []}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"allowedOrigins": None},
        {"allowedOrigins": [f"https://a{n}.example" for n in range(51)]},
    ],
)
async def test_a_list_of_another_form_is_refused(banco, body):
    assert (await banco.put(ORIGINS, json=body)).status_code == 422
