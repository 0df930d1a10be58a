# SPDX-License-Identifier: MIT
"""A Processing algorithm for QGIS 3.22 and later: strokes drawn on a raster become the outline of the object.

It starts the program `tilecut`, which has to be installed. Put this file into the profile's folder processing/scripts,
or choose Processing > Toolbox > Scripts > Add Script to Toolbox.
"""
import json
import os
import subprocess
import tempfile
import time

from qgis.core import (
    QgsCoordinateTransform, QgsFeature, QgsFeatureSink, QgsField, QgsFields, QgsProcessing, QgsProcessingAlgorithm,
    QgsProcessingException, QgsProcessingParameterFeatureSink, QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField, QgsProcessingParameterNumber, QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString, QgsVectorLayer, QgsWkbTypes)
from qgis.PyQt.QtCore import QVariant


class TilecutAlgorithm(QgsProcessingAlgorithm):
    """Takes a raster, strokes and the field with their class. Gives polygons in the coordinate system of the raster."""

    def createInstance(self):
        return TilecutAlgorithm()

    def name(self):
        return "tilecut"

    def displayName(self):
        return "Cut an object out (tilecut)"

    def group(self):
        return "Segmentation"

    def groupId(self):
        return "segmentation"

    def shortHelpString(self):
        return ("Cuts an object out of a GeoTIFF by a minimum cut. Strokes are points, lines or areas on the object "
                "and on what is around it. The field of their class says <i>background</i> (or <i>bg</i>) for what is "
                "not the object; all else is the object. The outline comes out in the system of the raster.")

    def initAlgorithm(self, config=None):
        self.addParameter(QgsProcessingParameterRasterLayer("INPUT", "Raster, a TIFF of 1 or 3 bands"))
        self.addParameter(QgsProcessingParameterFeatureSource(
            "STROKES", "Strokes", [QgsProcessing.TypeVectorAnyGeometry]))
        self.addParameter(QgsProcessingParameterField("FIELD", "Field of their class", "label", "STROKES"))
        self.addParameter(QgsProcessingParameterNumber(
            "BRUSH", "Radius of points and lines, in pixels", QgsProcessingParameterNumber.Double, 3, False, 0.5))
        self.addParameter(QgsProcessingParameterString("OPTIONS", "More options of tilecut segment", "", False, True))
        self.addParameter(QgsProcessingParameterString("PROGRAM", "Program", "tilecut"))
        self.addParameter(QgsProcessingParameterFeatureSink(
            "OUTPUT", "Object", QgsProcessing.TypeVectorPolygon))

    def processAlgorithm(self, parameters, context, feedback):
        raster = self.parameterAsRasterLayer(parameters, "INPUT", context)
        strokes = self.parameterAsSource(parameters, "STROKES", context)
        if raster is None:
            raise QgsProcessingException(self.invalidRasterError(parameters, "INPUT"))
        if strokes is None:
            raise QgsProcessingException(self.invalidSourceError(parameters, "STROKES"))
        path = raster.source()
        if not os.path.isfile(path):
            raise QgsProcessingException(f"{path} is no file: export the raster as a GeoTIFF first")
        field = self.parameterAsString(parameters, "FIELD", context)
        if field not in strokes.fields().names():
            raise QgsProcessingException(f"there is no field {field} in the strokes")
        brush = self.parameterAsDouble(parameters, "BRUSH", context)
        options = self.parameterAsString(parameters, "OPTIONS", context).split()
        program = self.parameterAsString(parameters, "PROGRAM", context) or "tilecut"

        with tempfile.TemporaryDirectory(prefix="tilecut-") as folder:
            drawn, found = os.path.join(folder, "strokes.geojson"), os.path.join(folder, "object.geojson")
            with open(drawn, "w", encoding="utf-8") as file:
                json.dump(strokes_of(strokes, field, raster.crs(), context), file)
            run([program, "segment", path, "-s", drawn, "-o", found, "--brush", f"{brush:g}", *options], feedback)
            layer = QgsVectorLayer(found, "object", "ogr")
            if not layer.isValid():
                raise QgsProcessingException("tilecut found no object: draw another stroke on it")
            fields = QgsFields()
            fields.append(QgsField("label", QVariant.String))
            fields.append(QgsField("area", QVariant.Double))
            sink, name = self.parameterAsSink(parameters, "OUTPUT", context, fields, QgsWkbTypes.MultiPolygon,
                                              raster.crs())
            if sink is None:
                raise QgsProcessingException(self.invalidSinkError(parameters, "OUTPUT"))
            for one in layer.getFeatures():
                made = QgsFeature(fields)
                shape = one.geometry()
                shape.convertToMultiType()
                made.setGeometry(shape)
                made.setAttributes(["object", shape.area()])
                sink.addFeature(made, QgsFeatureSink.FastInsert)
        return {"OUTPUT": name}


def strokes_of(source, field, system, context):
    """Returns GeoJSON of the features of `source` in the coordinate system `system`, with the class in `label`."""
    there = QgsCoordinateTransform(source.sourceCrs(), system, context.transformContext())
    features = []
    for one in source.getFeatures():
        shape = one.geometry()
        if shape.isNull():
            continue
        shape.transform(there)
        label = str(one[field] or "object")
        features.append({"type": "Feature", "properties": {"label": label}, "geometry": json.loads(shape.asJson(12))})
    collection = {"type": "FeatureCollection", "features": features}
    if system.authid():
        authority, code = system.authid().split(":", 1)
        collection["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{authority}::{code}"}}
    return collection


def run(command, feedback):
    """Runs the program and shows its output. Cancel ends it."""
    feedback.pushCommandInfo(" ".join(command))
    try:
        with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(command, stdin=nothing, stdout=said, stderr=said)
            while process.poll() is None:
                if feedback.isCanceled():
                    process.kill()
                time.sleep(.05)
            said.seek(0)
            text = said.read().decode("utf-8", "replace").strip()
    except OSError as error:
        raise QgsProcessingException(f"{command[0]} cannot be started ({error.strerror}); give its path as Program") \
            from error
    if feedback.isCanceled():
        raise QgsProcessingException("cancelled")
    if process.returncode:
        raise QgsProcessingException(text or f"tilecut ended with status {process.returncode}")
    if text:
        feedback.pushInfo(text)
