/** The path that everything lies below, without a slash at the end: empty unless the service has one. */
export const ROOT = new URL('..', import.meta.url).pathname.replace(/\/$/, '')

/** The console lies below this path, and what it shows of a workspace below `/w/<id>` in it. */
export const BASE = `${ROOT}/console`

const LAST = 'mneme.workspace'
const WORKSPACE = /^\/w\/([^/]+)/

/** The workspace that the address names. */
export const addressedWorkspace = (): string | undefined => WORKSPACE.exec(location.pathname.slice(BASE.length))?.[1]

// Each tab stays in the workspace of its address; a new one begins in that of the tab that was last used.
let chosen = addressedWorkspace() ?? localStorage.getItem(LAST) ?? undefined
addEventListener('focus', () => chosen !== undefined && localStorage.setItem(LAST, chosen))

/** Tells in which workspace requests are made; undefined for the account's first. */
export const chosenWorkspace = (): string | undefined => chosen

/** All requests after this are made in this workspace, in later sessions too. */
export function chooseWorkspace(id: string): void {
  chosen = id
  localStorage.setItem(LAST, id)
}

/** Where the reader is, without the workspace: `/memories/…`. */
export const pathInWorkspace = (): string => location.pathname.slice(BASE.length).replace(WORKSPACE, '')

/** The address of a place in the chosen workspace. @param path with its query: `/memories?page=2` */
export const hrefOf = (path: string): string => (chosen === undefined ? `${BASE}${path}` : `${BASE}/w/${chosen}${path}`)
