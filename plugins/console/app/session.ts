import type { GetConsoleMenuResult, GetConsoleMenuResultPage, Workspace as Stored } from '@mneme/client'
import { call, chooseWorkspace, chosenWorkspace } from './api.ts'
import { addressedWorkspace, ROOT } from './place.ts'
import { accept, invitation } from './sign-in.tsx'

export type Workspace = Pick<Stored, 'id' | 'name' | 'mode' | 'test_workspace_id'>

/** An entry of the menu, with the path that everything lies below. */
export type Page = GetConsoleMenuResultPage

/** Tells who is signed in, and what there is to see in the chosen workspace. */
export type Session = { email: string; workspaces: readonly Workspace[]; workspace: Workspace; pages: readonly Page[] }

export type Opened =
  | { readonly state: 'signed out' }
  | { readonly state: 'no workspace'; readonly email: string }
  | { readonly state: 'strange'; readonly workspaces: readonly Workspace[] }
  | { readonly state: 'signed in'; readonly session: Session }

export async function openSession(): Promise<Opened> {
  const account = await call<{ user: { email: string } } | null>('GET', '/v1/auth/get-session', { everywhere: true })
  if (!account) return { state: 'signed out' }
  const { email } = account.user
  const invited = invitation() ? (await accept()).workspace_id : undefined
  if (invited) chooseWorkspace(invited)
  const workspaces = await allWorkspaces().catch(error => (error.status === 401 ? [] : Promise.reject(error)))
  const asked = invited ?? addressedWorkspace()
  const workspace = workspaces.find(({ id }) => id === (asked ?? chosenWorkspace()))
  // Another workspace in its place would show other memories under the address that somebody was sent.
  if (!workspace && asked && workspaces.length > 0) return { state: 'strange', workspaces }
  const opened = workspace ?? workspaces.find(({ mode }) => mode === 'live')
  if (!opened) return { state: 'no workspace', email }
  chooseWorkspace(opened.id)
  const menu = await call<GetConsoleMenuResult>('GET', '/v1/console/menu')
  const pages = menu.pages.map(page => ({ ...page, path: `${ROOT}${page.path}` }))
  return { state: 'signed in', session: { email, workspaces, workspace: opened, pages } }
}

const PAGE_SIZE = 100
const PAGES_MAX = 10

async function allWorkspaces(): Promise<Workspace[]> {
  const workspaces: Workspace[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const options = { query: { page, page_size: PAGE_SIZE }, everywhere: true }
    const { data, total } = await call<{ data: Workspace[]; total: number }>('GET', '/v1/workspaces', options)
    workspaces.push(...data)
    if (workspaces.length >= total || data.length === 0) break
  }
  return workspaces.flatMap(workspace => [workspace, ...testTwinOf(workspace)])
}

/** Keys of the mode `test` work on a workspace beside the live one, which lists leave out. */
function testTwinOf(workspace: Workspace): Workspace[] {
  const { mode, test_workspace_id: id } = workspace
  return mode === 'live' && id ? [{ ...workspace, id, mode: 'test', test_workspace_id: null }] : []
}
