import {
  extremityArrow,
  type FragmentLayer,
  layerFill,
  layerPlain,
  pathCurved,
  pathLine,
  sdfCircle,
  sdfDiamond,
  sdfSquare,
  sdfTriangle,
} from 'sigma/rendering'
import { type BaseEdgeState, type BaseNodeState, DEFAULT_STYLES } from 'sigma/types'

export interface NodeLook {
  /** Something else has the reader's eye. */
  isDim: boolean
  isChosen: boolean
  /** An answer rests on it. */
  isLit: boolean
  /** Its name is shown, whatever else is there. */
  isNamed: boolean
}

export interface EdgeLook {
  isDim: boolean
  /** It belongs to what has the reader's eye. */
  isNear: boolean
  isNamed: boolean
  isFormer: boolean
}

export type NodeAttributes = { x: number; y: number; size: number; name: string; type: string; isUser: boolean }

export type EdgeAttributes = { weight: number; words: string }

const UNSIGNED_BYTE = 0x1401

/** A ring inside the edge of a shape keeps nodes apart that overlap, and marks those that are special. */
const ring: FragmentLayer = {
  name: 'ring',
  uniforms: [],
  attributes: [{ name: 'ringColor', size: 4, type: UNSIGNED_BYTE, normalized: true, source: 'ringColor' }],
  glsl: `vec4 layer_ring(vec4 v_ringColor) {
    float inner = -max(1.6 * context.pixelToUV, 0.12 * context.shapeSize);
    float share = smoothstep(inner - context.aaWidth, inner + context.aaWidth, context.sdf);
    return vec4(v_ringColor.rgb, v_ringColor.a * share);
  }`,
}

/** Shapes and lines are declared to the library once; types differ by their shapes, and not by colours alone. */
export const DRAWN = {
  nodes: {
    shapes: [
      sdfCircle(),
      sdfSquare({ cornerRadius: 0.25 }),
      sdfDiamond({ cornerRadius: 0.1 }),
      sdfTriangle({ cornerRadius: 0.15 }),
    ],
    variables: { ringColor: { type: 'color', default: '#ffffff' } },
    layers: [layerFill(), ring],
    label: { font: { family: 'system-ui, sans-serif', weight: '500', size: 12 }, margin: 4 },
  },
  edges: {
    paths: [pathLine(), pathCurved()],
    extremities: [extremityArrow({ lengthRatio: 4, widthRatio: 3.5 })],
    layers: [layerPlain()],
  },
} as const

const SHAPES: Readonly<Record<string, string>> = {
  PERSON: 'circle',
  ORGANIZATION: 'square',
  PLACE: 'diamond',
  THING: 'triangle',
}

/** Shapes with corners look smaller than a circle around them. */
const SCALES: Readonly<Record<string, number>> = { PLACE: 1.25, THING: 1.35 }

/** Says how nodes and edges look in each state. @param colours those of the moment */
export function stylesOf(colours: () => Palette) {
  return {
    nodes: [
      DEFAULT_STYLES.nodes,
      {
        shape: ({ type }: NodeAttributes) => SHAPES[type] ?? 'circle',
        color: ({ type }: NodeAttributes) => colours().types[type] ?? colours().quiet,
        size: ({ size, type }: NodeAttributes, { isHovered, isChosen }: NodeLook & BaseNodeState) =>
          size * (SCALES[type] ?? 1) * (isChosen ? 1.35 : isHovered ? 1.15 : 1),
        ringColor: ({ isUser }: NodeAttributes, { isChosen, isLit }: NodeLook) =>
          isLit ? colours().lit : isChosen || isUser ? colours().ink : colours().paper,
        opacity: (_: NodeAttributes, { isDim }: NodeLook) => (isDim ? 0.14 : 1),
        label: ({ name }: NodeAttributes) => name,
        labelColor: () => colours().ink,
        labelSize: (_: NodeAttributes, { isChosen }: NodeLook) => (isChosen ? 14 : 12),
        labelVisibility: (_: NodeAttributes, { isDim, isHovered, isNamed }: NodeLook & BaseNodeState) =>
          isHovered || isNamed ? ('visible' as const) : isDim ? ('hidden' as const) : ('auto' as const),
        labelBackgroundColor: (_: NodeAttributes, { isHighlighted }: BaseNodeState) =>
          isHighlighted ? colours().paper : 'transparent',
        backdropVisibility: 'hidden' as const,
      },
    ],
    edges: [
      DEFAULT_STYLES.edges,
      {
        path: 'straight',
        size: ({ weight }: EdgeAttributes, { isNear }: EdgeLook) => (isNear ? 1.2 + 1.4 * weight : 0.4 + 0.9 * weight),
        color: (_: EdgeAttributes, { isNear }: EdgeLook) => (isNear ? colours().accent : colours().quiet),
        opacity: (_: EdgeAttributes, { isDim, isNear, isFormer }: EdgeLook) =>
          isDim ? 0.04 : isFormer ? (isNear ? 0.5 : 0.1) : isNear ? 0.95 : 0.3,
        head: (_: EdgeAttributes, { isNear }: EdgeLook) => (isNear ? 'arrow' : 'none'),
        label: ({ words }: EdgeAttributes, { isNamed, isFormer }: EdgeLook) =>
          isNamed ? `${words}${isFormer ? ' (over)' : ''}` : '',
        labelVisibility: (_: EdgeAttributes, { isNamed }: EdgeLook) =>
          isNamed ? ('visible' as const) : ('hidden' as const),
        labelColor: () => colours().quiet,
        labelSize: 11,
        labelBackgroundColor: () => colours().paper,
        depth: (_: EdgeAttributes, { isNear }: EdgeLook & BaseEdgeState) =>
          isNear ? ('topEdges' as const) : ('edges' as const),
      },
    ],
  }
}

/** Colours of the picture, as the page's style has them at the moment. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly quiet: string
  readonly accent: string
  readonly lit: string
  readonly types: Readonly<Record<string, string>>
}

const NAMES = {
  PERSON: '--series-1',
  ORGANIZATION: '--series-2',
  PLACE: '--series-3',
  THING: '--series-4',
}

export function palette(): Palette {
  const probe = document.createElement('span')
  document.body.append(probe)
  // A custom property keeps `light-dark(…)` as it was written; a property that takes a colour resolves it.
  const read = (name: string) => {
    probe.className = ''
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    paper: read('--paper'),
    ink: read('--ink'),
    quiet: read('--quiet'),
    accent: read('--accent'),
    lit: read('--warn'),
    types: Object.fromEntries(Object.entries(NAMES).map(([type, name]) => [type, read(name)])),
  }
  probe.remove()
  return colours
}
