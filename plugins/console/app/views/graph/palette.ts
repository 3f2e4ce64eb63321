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
