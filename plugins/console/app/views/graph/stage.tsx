import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, Notice } from '../../parts.tsx'
import { Canvas, type Eye, type Target } from './canvas.ts'
import type { Scene, Shown } from './model.ts'

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
export function Stage({ scene, shown, eye, label, ...handlers }: StageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas | undefined>(undefined)
  const latest = useRef(handlers)
  latest.current = handlers
  const [state, setState] = useState<'drawing' | 'drawn' | 'impossible'>('drawing')
  useEffect(() => {
    if (!frame.current) return
    try {
      canvas.current = new Canvas(frame.current, scene, {
        onPoint: target => latest.current.onPoint(target),
        onChoose: target => latest.current.onChoose(target),
        onExpand: node => latest.current.onExpand(node),
        onDrawn: () => setState('drawn'),
      })
    } catch {
      setState('impossible')
    }
    const recolour = () => canvas.current?.recolour()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', recolour)
    addEventListener('themechange', recolour)
    return () => {
      scheme.removeEventListener('change', recolour)
      removeEventListener('themechange', recolour)
      canvas.current?.kill()
      canvas.current = undefined
    }
  }, [])
  const drawn = useRef(scene)
  useEffect(() => {
    if (drawn.current !== scene) canvas.current?.setScene(scene)
    drawn.current = scene
    canvas.current?.show(shown)
  }, [scene, shown])
  useEffect(() => canvas.current?.look(eye), [eye, scene, shown])
  useEffect(() => follow(canvas.current, eye), [eye.chosen, eye.lit])
  if (state === 'impossible')
    return (
      <Notice kind="warn">
        <p>This browser draws no pictures of this kind (WebGL 2 is off). The list shows the same.</p>
      </Notice>
    )
  return (
    <>
      <div ref={frame} class="graph-canvas" role="img" aria-label={label} data-state={state} />
      <fieldset class="graph-zoom">
        <legend class="unseen">Picture</legend>
        <Button kind="icon" icon="plus" aria-label="Closer" onClick={() => canvas.current?.zoom('in')} />
        <Button kind="icon" icon="minus" aria-label="Farther" onClick={() => canvas.current?.zoom('out')} />
        <Button kind="icon" icon="fit" aria-label="Show all" onClick={() => canvas.current?.fit()} />
      </fieldset>
    </>
  )
}

/** Leads to what was chosen in the panel or the list, and to what an answer rests on. */
function follow(canvas: Canvas | undefined, { chosen, lit }: Eye): void {
  if (chosen && 'node' in chosen) canvas?.goTo(chosen.node)
  else if (!chosen && lit.size > 0) canvas?.goToAll([...lit])
}
