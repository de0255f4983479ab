"""Creates the groups of the three roles. Their permissions can be edited in the admin afterwards."""

from django.db import migrations

# Each model with its app, and its name in the words of a permission.
MODELS = {
    "dataset": ("tasks", "dataset"),
    "repository": ("tasks", "repository"),
    "task": ("tasks", "task"),
    "agent": ("runs", "agent"),
    "languagemodel": ("runs", "language model"),
    "evaluation": ("runs", "evaluation"),
    "run": ("runs", "run"),
    "try": ("runs", "try"),
    "cell": ("runs", "cell"),
    "snapshot": ("runs", "snapshot"),
    "auditentry": ("runs", "audit entry"),
    "user": ("auth", "user"),
    "group": ("auth", "group"),
}
CUSTOM = {
    "view_hidden": ("dataset", "Can see hidden datasets with their tasks and runs"),
    "start_evaluation": ("evaluation", "Can start, cancel and retry evaluations"),
}

DATA = (
    "dataset",
    "repository",
    "task",
    "agent",
    "languagemodel",
    "evaluation",
    "run",
    "try",
    "cell",
    "snapshot",
)
VIEWER = ("view_hidden", *(f"view_{model}" for model in DATA))
OPERATOR = (
    *VIEWER,
    "start_evaluation",
    *(f"{verb}_{model}" for model in ("agent", "languagemodel") for verb in ("add", "change", "delete")),
    *("change_evaluation", "delete_evaluation", "delete_snapshot", "change_dataset"),
)
ADMIN = (
    *OPERATOR,
    *(f"{verb}_{model}" for model in ("user", "group") for verb in ("view", "add", "change", "delete")),
    "view_auditentry",
)
ROLES = {"Viewers of hidden datasets": VIEWER, "Operators": OPERATOR, "Admins": ADMIN}


def create_roles(apps, _editor=None):
    """Creates the groups that are missing. A group of the same name is left as it is."""
    Group = apps.get_model("auth", "Group")
    for name, codenames in ROLES.items():
        group, created = Group.objects.get_or_create(name=name)
        if created:
            group.permissions.set([_permission(apps, codename) for codename in codenames])


def _permission(apps, codename):
    """A permission. Django creates those of new models only after all migrations, and then finds this one."""
    verb, _, model = codename.partition("_")
    model, name = CUSTOM.get(codename, (model, ""))
    label, words = MODELS[model]
    content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
        app_label=label, model=model
    )
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type, codename=codename, defaults={"name": name or f"Can {verb} {words}"}
    )
    return permission


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0014_plain_help_texts"),
        ("tasks", "0005_view_hidden"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(create_roles, migrations.RunPython.noop)]
