"""Datasets that others reported: tasks without source."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0005_view_hidden'),
    ]

    operations = [
        migrations.AddField(
            model_name='dataset',
            name='reported_by',
            field=models.CharField(blank=True, editable=False, help_text='Who reported all of its results; empty: its tasks are run here.', max_length=200),
        ),
        migrations.AlterField(
            model_name='dataset',
            name='description',
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name='dataset',
            name='directory',
            field=models.CharField(blank=True, max_length=500),
        ),
        migrations.AlterField(
            model_name='repository',
            name='slug',
            field=models.SlugField(max_length=100, unique=True),
        ),
        migrations.AlterField(
            model_name='task',
            name='category',
            field=models.CharField(blank=True, choices=[('bug', 'bug'), ('feature', 'feature'), ('refactoring', 'refactoring'), ('optimisation', 'optimisation'), ('other', 'other')], max_length=20),
        ),
        migrations.AlterField(
            model_name='task',
            name='description',
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name='task',
            name='difficulty',
            field=models.CharField(blank=True, choices=[('easy', 'easy'), ('medium', 'medium'), ('hard', 'hard')], max_length=20),
        ),
        migrations.AlterField(
            model_name='task',
            name='slug',
            field=models.SlugField(max_length=100),
        ),
    ]
