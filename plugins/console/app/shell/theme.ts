const THEME = 'mneme.theme'
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const theme = (): Theme => THEMES.find(name => name === localStorage.getItem(THEME)) ?? 'system'

export function chooseTheme(name: Theme): void {
  localStorage.setItem(THEME, name)
  showTheme()
}

/** Tells when the colours of the page change. @returns ends it */
export function onColours(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  addEventListener('themechange', listener)
  return () => {
    system.removeEventListener('change', listener)
    removeEventListener('themechange', listener)
  }
}

/** Colours follow an attribute of the page, and of a page of a plugin inside it. */
export function showTheme(page: Document = document): void {
  page.documentElement.dataset.theme = theme()
  for (const frame of page.querySelectorAll('iframe')) if (frame.contentDocument) showTheme(frame.contentDocument)
  page.defaultView?.dispatchEvent(new Event('themechange'))
}
