"""Django's admin over one table, open to everybody: RECORDS FOLDER PORT."""

import json
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

records, folder, port = json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]), sys.argv[3]
settings.configure(
    DEBUG=True,
    SECRET_KEY="invented",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    STATIC_URL="/static/",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "admin.db")}},
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        f"{__name__}.as_a_visitor",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
)
django.setup()

from django.contrib import admin  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402


def as_a_visitor(get_response):
    """Let each request be the visitor's, who may look at everything."""

    def answer(request):
        request.user = User.objects.get(username="visitor")
        return get_response(request)

    return answer


class Lamp(models.Model):
    """A row."""

    name = models.CharField(max_length=80)
    maker = models.CharField(max_length=80)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    watts = models.IntegerField()

    class Meta:
        """No migration makes it."""

        app_label = "auth"


class LampAdmin(admin.ModelAdmin):
    """The list with all columns."""

    list_display = ("name", "maker", "price", "watts")
    list_per_page = 25
    list_filter = ("maker",)


admin.site.register(Lamp, LampAdmin)
urlpatterns = [path("admin/", admin.site.urls)]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    User.objects.create_superuser("visitor", password="invented")
    with connection.schema_editor() as editor:
        editor.create_model(Lamp)
    Lamp.objects.bulk_create(Lamp(**one) for one in records)
    call_command("runserver", f"127.0.0.1:{port}", use_reloader=False)
