import iterate from 'graphology-layout-forceatlas2/iterate.js'
import type { LayoutTask } from './canvas.ts'

/** A picture is drawn after so long, and the next part computed once the page asks for it: a slow page is not overrun. */
const PART_MS = 150

self.addEventListener('message', ({ data: { settings, nodes, edges, rounds }, ports }: MessageEvent<LayoutTask>) => {
  const [port] = ports
  if (!port) return
  let left = rounds
  port.onmessage = () => {
    const until = performance.now() + PART_MS
    for (; left > 0 && performance.now() < until; left--) iterate(settings, nodes, edges)
    port.postMessage({ nodes, isDone: left === 0 })
  }
})
