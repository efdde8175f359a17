// Keys of the extras of our glTF files. `cargo xtask docs` writes this file.

type Json = any;

export interface ZipperScene {
  readonly game?: Json;
  readonly forward?: Json;
  readonly coarseOf?: Json;
  readonly chassis?: {
    readonly source?: Json;
    readonly chicken?: Json;
    readonly crouchHeight?: Json;
    readonly torsoLimits?: Json;
    readonly firepoints?: readonly {
      readonly name?: Json;
      readonly part?: Json;
      readonly radius?: Json;
      readonly share?: Json;
    }[];
    readonly camera?: Json;
    readonly hud?: Json;
    readonly cage?: {
      readonly name?: Json;
      readonly offset?: Json;
      readonly certain?: Json;
    };
    readonly settings?: Json;
    readonly animations?: Json;
    readonly configurations?: Json;
    readonly motions?: readonly {
      readonly role?: Json;
      readonly motion?: Json;
      readonly trans?: Json;
    }[];
    readonly skins?: Json;
  };
  readonly skins?: readonly {
    readonly name?: Json;
    readonly textures?: Json;
  }[];
  readonly fog?: {
    readonly type?: Json;
    readonly color?: Json;
    readonly near?: Json;
    readonly far?: Json;
    readonly altitudeLow?: Json;
    readonly altitudeHigh?: Json;
    readonly density?: Json;
  };
  readonly ambientLight?: Json;
  readonly endless?: Json;
  readonly clearColor?: Json;
  readonly zones?: {
    readonly shown?: Json;
    readonly nodes?: Json;
  };
  readonly fogVolumes?: {
    readonly color?: Json;
    readonly [key: string]: Json;
  };
  readonly keys?: Json;
  readonly airframe?: {
    readonly number?: Json;
    readonly name?: Json;
    readonly root?: Json;
    readonly playerRoot?: Json;
    readonly plainRoot?: Json;
    readonly damagePicture?: Json;
    readonly isPlayer?: Json;
    readonly chaseCamera?: {
      readonly distance?: Json;
      readonly from?: Json;
      readonly name?: Json;
      readonly record?: Json;
    };
  };
  readonly liveries?: readonly {
    readonly name?: Json;
    readonly textures?: Json;
  }[];
  readonly pictureStates?: readonly {
    readonly name?: Json;
    readonly textures?: Json;
  }[];
  readonly settings?: Json;
  readonly start?: {
    readonly scripts?: Json;
    readonly rules?: Json;
    readonly commands?: Json;
    readonly resets?: Json;
    readonly started?: Json;
    readonly changed?: {
      readonly hidden?: Json;
      readonly shown?: Json;
      readonly moved?: Json;
      readonly faded?: Json;
      readonly rehung?: Json;
      readonly deleted?: Json;
    };
    readonly left?: Json;
    readonly missions?: Json;
  };
  readonly mission?: {
    readonly name?: Json;
    readonly source?: Json;
    readonly placed?: Json;
    readonly empties?: Json;
    readonly unresolved?: Json;
    readonly ambiguous?: Json;
  };
  readonly weather?: {
    readonly zones?: readonly {
      readonly name?: Json;
      readonly software?: Json;
      readonly fogColor?: Json;
      readonly fogRanges?: Json;
      readonly clipRanges?: Json;
      readonly fogAltitude?: Json;
      readonly sunlight?: Json;
    }[];
    readonly clouds?: {
      readonly top?: Json;
      readonly bottom?: Json;
      readonly thickness?: Json;
      readonly zone2From?: Json;
      readonly topColor?: Json;
      readonly bottomColor?: Json;
    };
    readonly record?: Json;
    readonly [key: string]: Json;
  };
  readonly objectives?: Json;
  readonly maps?: Json;
  readonly dangerZones?: Json;
  readonly race?: Json;
  readonly valves?: readonly {
    readonly name?: Json;
    readonly isOff?: Json;
    readonly condition?: Json;
    readonly of?: Json;
    readonly actions?: readonly {
      readonly action?: Json;
      readonly values?: Json;
    }[];
    readonly values?: Json;
    readonly usedBy?: Json;
  }[];
  readonly generatorTemplates?: Json;
  readonly placementRules?: {
    readonly from?: Json;
    readonly certain?: Json;
  };
  readonly hidesReaders?: Json;
  readonly campaign?: {
    readonly number?: Json;
    readonly act?: {
      readonly number?: Json;
      readonly name?: Json;
    };
    readonly save?: Json;
    readonly briefing?: Json;
    readonly narration?: Json;
    readonly title?: {
      readonly string?: Json;
      readonly text?: Json;
    };
    readonly shortTitle?: {
      readonly string?: Json;
      readonly text?: Json;
    };
  };
  readonly moved?: readonly {
    readonly index?: Json;
    readonly name?: Json;
    readonly place?: Json;
  }[];
  readonly faceForward?: Json;
}

export interface ZipperNode {
  readonly index?: Json;
  readonly name?: Json;
  readonly class?: Json;
  readonly flags?: Json;
  readonly unnamedFlags?: Json;
  readonly zone?: Json;
  readonly opacity?: Json;
  readonly tint?: {
    readonly color?: Json;
    readonly weight?: Json;
  };
  readonly lod?: {
    readonly near?: Json;
    readonly far?: Json;
    readonly distanceOfOther?: Json;
    readonly fade?: {
      readonly near?: Json;
      readonly far?: Json;
      readonly inferred?: Json;
    };
    readonly scale?: {
      readonly width?: Json;
      readonly end?: Json;
      readonly uniform?: Json;
    };
    readonly morphBand?: Json;
    readonly level?: Json;
    readonly of?: Json;
  };
  readonly collision?: Json;
  readonly hiddenBy?: Json;
  readonly switchedOffBy?: Json;
  readonly sky?: Json;
  readonly likelySky?: {
    readonly axes?: Json;
    readonly certain?: Json;
  };
  readonly placedByAnimation?: {
    readonly animation?: Json;
    readonly place?: Json;
  };
  readonly crater?: Json;
  readonly pickup?: {
    readonly type?: Json;
    readonly name?: Json;
    readonly amount?: Json;
  };
  readonly fogVolume?: {
    readonly min?: Json;
    readonly max?: Json;
  };
  readonly instrument?: {
    readonly name?: Json;
    readonly number?: Json;
  };
  readonly damagePanel?: {
    readonly number?: Json;
    readonly state?: Json;
    readonly part?: Json;
    readonly tearsBelow?: Json;
  };
  readonly damageState?: Json;
  readonly firepoint?: {
    readonly part?: Json;
    readonly certain?: Json;
  };
  readonly rest?: {
    readonly translation?: Json;
    readonly rotation?: Json;
    readonly scale?: Json;
  };
  readonly airship?: {
    readonly isDeactivated?: Json;
    readonly [key: string]: Json;
  };
  readonly turret?: {
    readonly pattern?: Json;
    readonly [key: string]: Json;
  };
  readonly mover?: Json;
  readonly takenBy?: Json;
  readonly placement?: {
    readonly kind?: Json;
    readonly name?: Json;
    readonly block?: Json;
    readonly team?: Json;
    readonly valve?: Json;
    readonly id?: Json;
    readonly ids?: Json;
    readonly heading?: Json;
    readonly net?: {
      readonly number?: Json;
      readonly certain?: Json;
    };
    readonly more?: Json;
    readonly generatorTemplate?: Json;
    readonly slots?: Json;
    readonly player?: Json;
    readonly airframe?: Json;
    readonly assumedFrom?: Json;
    readonly type?: Json;
    readonly amount?: Json;
    readonly respawn?: Json;
    readonly value?: Json;
    readonly links?: Json;
    readonly tags?: Json;
    readonly attributes?: readonly {
      readonly key?: Json;
      readonly values?: Json;
    }[];
    readonly template?: Json;
    readonly source?: Json;
    readonly certain?: Json;
    readonly unresolved?: Json;
    readonly [key: string]: Json;
  };
  readonly net?: {
    readonly values?: Json;
    readonly trailer?: Json;
    readonly links?: Json;
    readonly edges?: readonly {
      readonly name?: Json;
      readonly from?: Json;
      readonly to?: Json;
      readonly attributes?: readonly {
        readonly key?: Json;
        readonly values?: Json;
      }[];
    }[];
    readonly [key: string]: Json;
  };
  readonly clutter?: {
    readonly from?: Json;
    readonly hiddenFromBelow?: Json;
    readonly template?: Json;
    readonly texture?: Json;
    readonly uv?: Json;
    readonly scale?: {
      readonly range?: Json;
      readonly certain?: Json;
    };
    readonly substitutes?: {
      readonly weights?: Json;
      readonly certain?: Json;
    };
    readonly farFadeRange?: Json;
    readonly volumesOfOtherZones?: Json;
    readonly things?: Json;
    readonly random?: Json;
    readonly certain?: Json;
  };
  readonly shines?: Json;
  readonly ofAnimation?: Json;
  readonly start?: Json;
  readonly startsWith?: Json;
  readonly startRange?: Json;
  readonly startColor?: Json;
  readonly startCycle?: Json;
  readonly overwrite?: Json;
  readonly landmark?: Json;
  readonly altitudeSurface?: Json;
  readonly intersectSurface?: Json;
  readonly foundBy?: {
    readonly command?: Json;
    readonly certain?: Json;
  };
  readonly instanceOf?: Json;
  readonly hidden?: Json;
  readonly points?: readonly {
    readonly mode?: Json;
    readonly blink?: Json;
    readonly behavior?: Json;
    readonly interval?: Json;
    readonly secondColor16?: Json;
    readonly priority?: Json;
    readonly fade?: {
      readonly from?: Json;
      readonly to?: Json;
    };
    readonly flare?: {
      readonly full?: Json;
      readonly gone?: Json;
    };
    readonly color?: Json;
    readonly flags?: Json;
    readonly size?: Json;
    readonly largestSize?: Json;
    readonly seenTo?: Json;
    readonly positions?: Json;
  }[];
  readonly facade?: {
    readonly mode?: Json;
    readonly centroid?: Json;
  };
}

export interface ZipperMesh {
  readonly facade?: {
    readonly mode?: Json;
    readonly centroid?: Json;
  };
  readonly flags?: Json;
}

export interface ZipperPrimitive {
  readonly layers?: readonly {
    readonly texture?: Json;
    readonly picture?: Json;
    readonly color?: Json;
    readonly alpha?: Json;
  }[];
  readonly priority?: Json;
  readonly layer?: Json;
}

export interface ZipperMaterial {
  readonly blend?: Json;
  readonly missingTexture?: Json;
  readonly scroll?: {
    readonly u?: Json;
    readonly v?: Json;
    readonly unit?: Json;
  };
  readonly cycle?: {
    readonly fps?: Json;
    readonly loop?: Json;
    readonly start?: Json;
    readonly frames?: Json;
    readonly selector?: Json;
  };
  readonly soil?: {
    readonly id?: Json;
    readonly name?: Json;
  };
}

export interface ZipperTexture {
  readonly edgeMode?: Json;
  readonly mips?: Json;
}

export interface ZipperLight {
  readonly from?: Json;
  readonly flags?: Json;
  readonly diffuse?: Json;
  readonly ambient?: Json;
  readonly isActive?: Json;
  readonly color?: Json;
  readonly near?: Json;
  readonly far?: Json;
  readonly unset?: Json;
  readonly ambientLight?: Json;
}

export interface ZipperCamera {
  readonly storedVerticalAngle?: Json;
  readonly storedHorizontalAngle?: Json;
  readonly storedNear?: Json;
  readonly view?: Json;
  readonly horizontalAngle?: Json;
  readonly pitch?: Json;
  readonly planes?: {
    readonly certain?: Json;
  };
  readonly assumedLens?: Json;
}

export interface ZipperClip {
  readonly animation?: Json;
  readonly root?: Json;
  readonly boundTo?: Json;
  readonly sequence?: Json;
  readonly activation?: Json;
  readonly length?: Json;
  readonly resetTime?: Json;
  readonly loops?: readonly {
    readonly sequence?: Json;
    readonly start?: Json;
    readonly period?: Json;
    readonly passes?: Json;
    readonly idealPeriod?: Json;
    readonly unrolled?: Json;
  }[];
  readonly neverStartedByTheGame?: Json;
  readonly visibility?: readonly {
    readonly node?: Json;
    readonly index?: Json;
    readonly times?: Json;
    readonly shown?: Json;
    readonly interpolation?: Json;
  }[];
  readonly opacity?: readonly {
    readonly node?: Json;
    readonly index?: Json;
    readonly times?: Json;
    readonly opacity?: Json;
    readonly interpolation?: Json;
  }[];
  readonly marks?: readonly {
    readonly event?: Json;
    readonly camera?: Json;
    readonly fromTo?: Json;
    readonly seconds?: Json;
    readonly set?: Json;
    readonly addChild?: Json;
    readonly deleteChild?: Json;
    readonly parent?: Json;
    readonly textureFrame?: Json;
    readonly node?: Json;
    readonly sound?: Json;
    readonly atNode?: Json;
    readonly animation?: Json;
    readonly light?: Json;
    readonly kind?: Json;
    readonly on?: Json;
    readonly range?: Json;
    readonly color?: Json;
    readonly ambient?: Json;
    readonly diffuse?: Json;
    readonly position?: Json;
    readonly offset?: Json;
    readonly runTime?: Json;
    readonly rangePerSecond?: Json;
    readonly colorPerSecond?: Json;
    readonly time?: Json;
    readonly [key: string]: Json;
  }[];
  readonly ambiguous?: Json;
  readonly notBaked?: Json;
  readonly nominal?: Json;
  readonly conditions?: Json;
  readonly dropped?: Json;
  readonly loopTime?: Json;
  readonly frames?: Json;
  readonly source?: Json;
  readonly named?: readonly {
    readonly role?: Json;
    readonly motion?: Json;
    readonly trans?: Json;
  }[];
  readonly keptTranslations?: Json;
}

export interface EverquestScene {
  readonly game?: Json;
  readonly space?: {
    readonly x?: Json;
    readonly y?: Json;
    readonly z?: Json;
    readonly unit?: Json;
  };
  readonly forward?: Json;
  readonly callback?: Json;
  readonly ambient?: Json;
  readonly regions?: Json;
  readonly skeleton?: {
    readonly bones?: Json;
    readonly radius?: Json;
    readonly center?: Json;
  };
  readonly meshes?: readonly {
    readonly shows?: Json;
    readonly number?: Json;
    readonly mesh?: Json;
    readonly fragment?: Json;
    readonly shown?: Json;
  }[];
  readonly particles?: readonly {
    readonly emitter?: Json;
    readonly coldEmitter?: Json;
    readonly point?: Json;
    readonly kind?: Json;
    readonly animation?: Json;
    readonly animationVariation?: Json;
    readonly randomAnimation?: Json;
    readonly startTime?: Json;
    readonly lifeSpan?: Json;
    readonly ground?: Json;
    readonly material?: Json;
    readonly sporadic?: Json;
  }[];
  readonly levelsOfDetail?: readonly {
    readonly model?: Json;
    readonly distance?: Json;
  }[];
  readonly sky?: {
    readonly centeredOnCamera?: Json;
    readonly turnsWithCamera?: Json;
    readonly depthWrite?: Json;
    readonly drawOrder?: Json;
    readonly zones?: Json;
  };
}

export interface EverquestNode {
  readonly server?: {
    readonly file?: Json;
    readonly line?: Json;
    readonly size?: Json;
    readonly openType?: Json;
    readonly name?: Json;
    readonly race?: Json;
    readonly gender?: Json;
    readonly texture?: Json;
    readonly face?: Json;
    readonly columns?: Json;
  };
  readonly name?: Json;
  readonly model?: Json;
  readonly file?: Json;
  readonly volume?: Json;
  readonly emitter?: Json;
  readonly index?: Json;
  readonly sound?: Json;
  readonly userData?: Json;
  readonly callback?: Json;
  readonly region?: Json;
  readonly alternate?: Json;
  readonly hidden?: Json;
  readonly collision?: Json;
  readonly wall?: Json;
  readonly layers?: Json;
  readonly id?: Json;
  readonly picture?: Json;
  readonly layer?: {
    readonly sky?: Json;
    readonly part?: Json;
    readonly drawOrder?: Json;
    readonly secondsPerUv?: Json;
    readonly direction?: Json;
    readonly turnSeconds?: Json;
  };
  readonly lightOffset?: Json;
  readonly facesCamera?: Json;
  readonly size?: Json;
  readonly framesByHeading?: Json;
  readonly sleepMs?: Json;
  readonly point?: Json;
  readonly bone?: Json;
  readonly particles?: Json;
  readonly sprite?: {
    readonly size?: Json;
    readonly renderMethod?: Json;
    readonly texture?: {
      readonly frames?: readonly {
        readonly file?: Json;
        readonly image?: Json;
      }[];
      readonly sleepMs?: Json;
    };
  };
  readonly attachment?: {
    readonly kind?: Json;
    readonly name?: Json;
  };
  readonly light?: Json;
  readonly levels?: Json;
  readonly colors?: Json;
  readonly radius?: Json;
  readonly color?: Json;
  readonly flags?: Json;
  readonly regions?: Json;
  readonly lightsTerrain?: Json;
}

export interface EverquestMesh {
  readonly vertexAnimation?: {
    readonly frames?: Json;
    readonly sleepMs?: Json;
  };
}

export interface EverquestPrimitive {
  readonly solid?: Json;
}

export interface EverquestMaterial {
  readonly shader?: Json;
  readonly blend?: Json;
  readonly renderMethod?: Json;
  readonly surface?: Json;
  readonly corrected?: {
    readonly stored?: Json;
    readonly source?: Json;
  };
  readonly brightness?: Json;
  readonly scaledAmbient?: Json;
  readonly eqBlend?: Json;
  readonly missingTexture?: Json;
  readonly layers?: readonly {
    readonly file?: Json;
    readonly image?: Json;
  }[];
  readonly textureAnimation?: {
    readonly frames?: readonly {
      readonly file?: Json;
      readonly image?: Json;
    }[];
    readonly sleepMs?: Json;
  };
  readonly properties?: Json;
  readonly second?: {
    readonly uvSet?: Json;
    readonly operation?: Json;
  };
  readonly water?: Json;
}

export interface EverquestLight {
  readonly light?: Json;
  readonly levels?: Json;
  readonly colors?: Json;
  readonly sleepMs?: Json;
  readonly index?: Json;
  readonly radius?: Json;
  readonly color?: Json;
  readonly flags?: Json;
  readonly regions?: Json;
  readonly lightsTerrain?: Json;
}

export interface EverquestClip {
  readonly set?: Json;
  readonly file?: Json;
  readonly code?: Json;
  readonly meaning?: Json;
  readonly frames?: Json;
  readonly seconds?: Json;
  readonly loop?: Json;
  readonly model?: Json;
  readonly source?: Json;
  readonly tracksWithoutBone?: Json;
}

export interface RelicastAsset {
  readonly vertexColors?: Json;
  readonly script?: Json;
  readonly buffer?: Json;
  readonly variants?: Json;
}

export interface RelicastMappedVariants {
  readonly variants?: readonly {
    readonly material?: Json;
    readonly variants?: Json;
  }[];
}

export interface RelicastInstancedNode {
  readonly instances?: readonly {
    readonly name?: Json;
    readonly extras?: Json;
  }[];
}
