"""A flask-admin list of one table: RECORDS FOLDER PORT."""

import json
import sys
from pathlib import Path

from flask import Flask
from flask_admin import Admin
from flask_admin.contrib.sqla import ModelView
from flask_sqlalchemy import SQLAlchemy

records, folder, port = json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]), sys.argv[3]
app = Flask(__name__)
app.config.update(SECRET_KEY="invented", SQLALCHEMY_DATABASE_URI=f"sqlite:///{folder / 'flask.db'}")
db = SQLAlchemy(app)


class Lamp(db.Model):
    """A row."""

    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String)
    maker = db.Column(db.String)
    price = db.Column(db.Float)
    watts = db.Column(db.Integer)


class Lamps(ModelView):
    """Twenty rows a page, of 20, 50 or 100 that can be chosen."""

    can_set_page_size = True
    column_searchable_list = ("name",)


Admin(app, name="Lamps").add_view(Lamps(Lamp, db.session, endpoint="lamps"))
with app.app_context():
    db.create_all()
    db.session.add_all(Lamp(**one) for one in records)
    db.session.commit()
app.run("127.0.0.1", int(port))
