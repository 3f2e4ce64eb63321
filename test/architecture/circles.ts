/** Files by the files that each imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/**
 * Finds the groups of files that lead back to each other, a file that imports itself included: the strongly connected
 * components by Tarjan, "Depth-first search and linear graph algorithms" (1972). Each group and their list are sorted.
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  function visit(file: string): number {
    const own = order.size
    order.set(file, own)
    lowest.set(file, own)
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      const reached = order.has(target) ? openOrder(target) : visit(target)
      if (reached !== undefined) lowest.set(file, Math.min(reached, lowest.get(file) ?? own))
    }
    if (lowest.get(file) === own) close(file)
    return lowest.get(file) ?? own
  }

  function openOrder(file: string): number | undefined {
    return open.includes(file) ? order.get(file) : undefined
  }

  function close(file: string): void {
    const group = open.splice(open.lastIndexOf(file))
    if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group.toSorted())
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))
}
