# SPDX-License-Identifier: MIT
"""Runs the algorithm of tools/plugins/qgis with QGIS's own library.

plugins_qgis.py ALGORITHM RASTER STROKES OUT [PARAMETER=VALUE ...] prints the coordinate system and the number of the
features that it has made, or the reason if there are none.
"""
import importlib.util
import os
import sys

from qgis.core import (QgsApplication, QgsProcessingContext, QgsProcessingFeedback, QgsProject, QgsRasterLayer,
                       QgsVectorLayer)


class Printed(QgsProcessingFeedback):
    """QGIS reports errors here; they go to standard output"""

    def reportError(self, error, fatalError=False):
        print(error)


spec = importlib.util.spec_from_file_location("tilecut_algorithm", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
application = QgsApplication([], False)
application.initQgis()
raster, strokes = QgsRasterLayer(sys.argv[2], "raster"), QgsVectorLayer(sys.argv[3], "strokes")
QgsProject.instance().addMapLayers([raster, strokes])
context = QgsProcessingContext()
context.setProject(QgsProject.instance())
wanted = {"INPUT": raster, "STROKES": strokes, "FIELD": "class", "BRUSH": 4, "OUTPUT": sys.argv[4]}
wanted.update(one.split("=", 1) for one in sys.argv[5:])
algorithm = module.TilecutAlgorithm().create()
answer, done = algorithm.run(wanted, context, Printed())
if done:
    made = QgsVectorLayer(answer["OUTPUT"], "made")
    print(made.crs().authid(), made.featureCount())
sys.stdout.flush()
os._exit(not done)  # QGIS frees its own objects in an order that may crash Python
