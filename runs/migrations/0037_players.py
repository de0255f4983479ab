from django.db import migrations


def create_role(apps, _editor=None):
    """Creates the group of those who play. A group of the same name is left as it is."""
    group, created = apps.get_model("auth", "Group").objects.get_or_create(name="Players")
    if created:
        # Django creates the permissions of new models only after all migrations, and then finds this one.
        content_type, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(
            app_label="runs", model="playsession"
        )
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type, codename="play", defaults={"name": "Can play tasks"}
        )
        group.permissions.add(permission)


class Migration(migrations.Migration):

    dependencies = [
        ("runs", "0036_generation_least_lines"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(create_role, migrations.RunPython.noop)]
