import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, Notice } from '../../parts.tsx'
import { onColours } from '../../shell/theme.ts'
import type { Canvas, Eye, Target } from './canvas.ts'
import canvasName from './canvas.ts?url'
import layoutName from './layout.worker.ts?url'
import type { Scene, Shown } from './model.ts'
import { wordsOf } from './words.tsx'

interface StageProps {
  readonly scene: Scene
  readonly shown: Shown
  readonly eye: Eye
  readonly label: string
  readonly onPoint: (target: Target) => void
  readonly onChoose: (target: Target) => void
  readonly onExpand: (node: string) => void
}

/** The picture with its buttons. Whoever cannot see it has the list and the panel, which lead everywhere too. */
export function Stage(props: StageProps) {
  const { scene, shown, eye, label } = props
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const drawn = useRef<Scene | undefined>(undefined)
  const [state, setState] = useState<'drawing' | 'drawn' | 'impossible'>('drawing')
  useEffect(() => {
    let hasEnded = false
    const open = async () => {
      const { Canvas }: typeof import('./canvas.ts') = await import(apart(canvasName).href)
      if (hasEnded || !frame.current) return
      canvas.current = new Canvas(frame.current, latest.current.scene, {
        onPoint: target => latest.current.onPoint(target),
        onChoose: target => latest.current.onChoose(target),
        onExpand: node => latest.current.onExpand(node),
        onDrawn: () => setState('drawn'),
        wordsOf,
        layoutScript: apart(layoutName),
      })
      drawn.current = latest.current.scene
      canvas.current.show(latest.current.shown)
      follow(canvas.current, latest.current.eye)
    }
    open().catch(() => setState('impossible'))
    const end = onColours(() => canvas.current?.recolour())
    return () => {
      hasEnded = true
      end()
      canvas.current?.kill()
      canvas.current = undefined
    }
  }, [])
  useEffect(() => {
    if (drawn.current !== scene) canvas.current?.setScene(scene)
    drawn.current = scene
    canvas.current?.show(shown)
  }, [scene, shown])
  useEffect(() => canvas.current?.look(eye), [eye])
  useEffect(() => follow(canvas.current, eye), [eye.chosen, eye.lit])
  if (state === 'impossible')
    return (
      <Notice
        kind="warn"
        text="This browser draws no pictures of this kind (WebGL 2 is off). The list shows the same."
      />
    )
  return (
    <div class="graph-view">
      <div ref={frame} class="graph-canvas" role="img" aria-label={label} data-state={state} />
      <fieldset class="graph-zoom">
        <legend class="unseen">Picture</legend>
        <Button kind="icon" icon="plus" aria-label="Closer" onClick={() => canvas.current?.zoom('in')} />
        <Button kind="icon" icon="minus" aria-label="Farther" onClick={() => canvas.current?.zoom('out')} />
        <Button kind="icon" icon="fit" aria-label="Show all" onClick={() => canvas.current?.fit()} />
      </fieldset>
    </div>
  )
}

/** The address of a file that the build put beside the page's script. */
const apart = (name: string) => new URL(name, import.meta.url)

/** Leads to what was chosen in the panel or the list, and to what an answer rests on. */
function follow(canvas: Canvas | undefined, { chosen, lit }: Eye): void {
  if (chosen && 'node' in chosen) canvas?.goTo(chosen.node)
  else if (!chosen && lit.size > 0) canvas?.goToAll([...lit])
}
