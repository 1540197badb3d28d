"""Draws scenes with MuJoCo: pictures, and which pixel shows what."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from pytest_metaspace.errors import UsageProblem
from pytest_metaspace.suites.rem._scene import (
    COLOURS,
    EYE_M,
    FOCAL_PX,
    HEIGHT,
    SHAPES,
    SIDE_M,
    WIDTH,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Self

    from pytest_metaspace.suites.rem._scene import Place, Pose

MOST: Final = 58
"""Things of one shape that a scene may have."""
NOTHING: Final = -1
"""In masks: ground and sky."""
_FINER: Final = 2
"""Pictures are drawn so many times larger and averaged down, against steps at edges."""
_SHADE: Final = 4
"""Shades of pictures are whole multiples: nobody sees it, and files are half as large."""
_SHOWN, _HIDDEN, _ALONE = 1, 5, 4
_RING: Final = 24
_SKY: Final = ".80 .86 .92"
_GROUND_M: Final = 1.7
"""Side of a tile; no whole number of steps, so that no step leaves the ground as it was."""


class Studio:
    """Draws one scene after the other; a context manager, as it holds two OpenGL contexts.

    Raises:
        UsageProblem: MuJoCo is missing, or nothing draws here.
    """

    def __init__(self) -> None:
        self._mujoco = _mujoco()
        self._open: list[Any] = []
        try:
            self._model = self._mujoco.MjModel.from_xml_string(_xml())
            self._data = self._mujoco.MjData(self._model)
            self._mujoco.mj_forward(self._model, self._data)
            self._colour = self._renderer(_FINER)
            self._ids = self._renderer(1)
            self._ids.enable_segmentation_rendering()
        except Exception as problem:
            self.close()
            raise _undrawable(problem) from problem
        self._pool = {
            shape: [self._model.geom(f"{shape} {number}").id for number in range(MOST)]
            for shape in SHAPES
        }
        self._offset = self._model.geom_pos.copy()
        self._model.geom_sameframe[:] = 0  # else shapes made at the origin could not leave it
        self._geoms: list[int] = []

    def __enter__(self) -> Self:
        """Return the studio."""
        return self

    def __exit__(self, *_: object) -> None:
        """Free what it holds."""
        self.close()

    def close(self) -> None:
        """Free both contexts."""
        while self._open:
            self._open.pop().close()

    def arrange(self, places: Sequence[Place]) -> None:
        """Put up a scene; nothing of the one before stays."""
        left = {shape: iter(pool) for shape, pool in self._pool.items()}
        self._model.geom_group[1:] = _HIDDEN
        self._geoms = []
        for place in places:
            geom = next(left[place.thing.shape])
            self._model.geom_group[geom] = _SHOWN
            self._model.geom_pos[geom] = self._offset[geom] + (place.x, place.y, SIDE_M / 2)
            self._model.geom_rgba[geom, :3] = [part / 255 for part in COLOURS[place.thing.colour]]
            self._geoms.append(geom)

    def picture(self, pose: Pose) -> npt.NDArray[np.uint8]:
        """Return what the camera sees."""
        import numpy as np

        self._look(pose)
        self._colour.update_scene(self._data, "eye", scene_option=self._groups(_SHOWN))
        fine = self._colour.render().astype(np.uint16)
        steps = range(_FINER)
        total = sum(fine[down::_FINER, right::_FINER] for down in steps for right in steps)
        shades = (total + _SHADE * _FINER**2 // 2) // (_SHADE * _FINER**2) * _SHADE
        seen: npt.NDArray[np.uint8] = np.minimum(shades, 255).astype(np.uint8)
        return seen

    def masks(self, pose: Pose, alone: int | None = None) -> npt.NDArray[np.int16]:
        """Return for each pixel the place of the thing that it shows, in the order arranged.

        Args:
            pose: where the camera is.
            alone: all others are taken away; None for none.
        """
        import numpy as np

        self._look(pose)
        owners = np.full(self._model.ngeom + 1, NOTHING, dtype=np.int16)
        owners[self._geoms] = np.arange(len(self._geoms), dtype=np.int16)
        if alone is not None:
            self._model.geom_group[self._geoms[alone]] = _ALONE
        self._ids.update_scene(
            self._data, "eye", scene_option=self._groups(_SHOWN if alone is None else _ALONE)
        )
        if alone is not None:
            self._model.geom_group[self._geoms[alone]] = _SHOWN
        found: npt.NDArray[np.int16] = owners[self._ids.render()[..., 0]]
        return found

    def _renderer(self, finer: int) -> Any:
        made = self._mujoco.Renderer(self._model, HEIGHT * finer, WIDTH * finer)
        self._open.append(made)
        return made

    def _groups(self, group: int) -> Any:
        option = self._mujoco.MjvOption()
        option.geomgroup[:] = 0
        option.geomgroup[[0, group]] = 1
        return option

    def _look(self, pose: Pose) -> None:
        half = math.radians(pose.yaw_deg) / 2
        self._data.mocap_pos[0] = (pose.x, pose.y, EYE_M)
        self._data.mocap_quat[0] = (math.cos(half), 0, 0, math.sin(half))
        self._mujoco.mj_kinematics(self._model, self._data)
        self._mujoco.mj_camlight(self._model, self._data)


def _mujoco() -> Any:
    if sys.platform == "linux" and not os.environ.get("MUJOCO_GL"):
        os.environ["MUJOCO_GL"] = "egl"  # it is read once, when mujoco is imported
    try:
        import mujoco
    except ModuleNotFoundError:
        raise UsageProblem(
            "metaspace: these pictures are drawn with MuJoCo, which is not installed. Type: "
            "pip install 'pytest-metaspace[build]'"
        ) from None
    except Exception as problem:
        raise _undrawable(problem) from problem
    return mujoco


def _undrawable(problem: Exception) -> UsageProblem:
    return UsageProblem(
        f"metaspace: pictures cannot be drawn here ({type(problem).__name__}: {problem}). MuJoCo "
        f"needs OpenGL without a display; MUJOCO_GL is {os.environ.get('MUJOCO_GL') or 'not set'}. "
        "Install libegl1, libgl1-mesa-dri and libopengl0 and set MUJOCO_GL=egl, or libosmesa6 and "
        "MUJOCO_GL=osmesa."
    )


def _xml() -> str:
    """Return the world in MuJoCo's words: ground, light, camera, and shapes that wait."""
    fovy = 2 * math.degrees(math.atan(HEIGHT / 2 / FOCAL_PX))
    half = SIDE_M / 2
    kinds = {
        "box": f'type="box" size="{half} {half} {half}"',
        "sphere": f'type="sphere" size="{half}"',
        "cone": 'type="mesh" mesh="cone"',
    }
    waiting = "\n".join(
        f'<geom name="{shape} {number}" {kinds[shape]}/>'
        for shape in SHAPES
        for number in range(MOST)
    )
    return f"""
<mujoco>
 <compiler inertiafromgeom="false"/>
 <visual>
  <global offwidth="{WIDTH * _FINER}" offheight="{HEIGHT * _FINER}"/>
  <quality offsamples="0" shadowsize="0"/>
  <headlight ambient=".84 .84 .84" diffuse=".10 .10 .10" specular="0 0 0"/>
  <map znear=".05" zfar="80"/>
  <rgba haze="{_SKY} 1"/>
 </visual>
 <statistic extent="1" center="0 0 1"/>
 <default>
  <geom contype="0" conaffinity="0" mass="0" group="{_HIDDEN}"/>
 </default>
 <asset>
  <texture name="sky" type="skybox" builtin="flat" rgb1="{_SKY}" width="8" height="48"/>
  <texture name="tiles" type="2d" builtin="checker" rgb1=".60 .61 .62" rgb2=".66 .67 .68"
   width="64" height="64"/>
  <material name="ground" texture="tiles" texuniform="true"
   texrepeat="{1 / (2 * _GROUND_M)} {1 / (2 * _GROUND_M)}"/>
  <mesh name="cone" vertex="{_cone()}"/>
 </asset>
 <worldbody>
  <light type="directional" dir="0 0 -1" castshadow="false" ambient="0 0 0"
   diffuse=".06 .06 .06" specular="0 0 0"/>
  <geom name="ground" type="plane" size="0 0 1" material="ground" group="0"/>
  <body name="eye" mocap="true">
   <camera name="eye" xyaxes="0 -1 0 0 0 1" fovy="{fovy}"/>
  </body>
{waiting}
 </worldbody>
</mujoco>
"""


def _cone() -> str:
    """Return the corners of a cone around its middle: a ring, and its tip."""
    half = SIDE_M / 2
    turns = [2 * math.pi * number / _RING for number in range(_RING)]
    corners = [(half * math.cos(a), half * math.sin(a), -half) for a in turns] + [(0, 0, half)]
    return " ".join(f"{value:.6f}" for corner in corners for value in corner)
