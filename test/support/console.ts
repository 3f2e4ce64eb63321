import { type BrowserPage, openPage, signIn } from './browser.ts'
import { emptyStore, type ServerProcess, startServer } from './process.ts'

/** A server of its own on an empty store, and a page of its console. */
export interface OpenConsole extends BrowserPage {
  readonly server: ServerProcess
}

/** Starts a server, signs in with the account that it printed, and resolves once the menu is there. */
export async function openConsole(): Promise<OpenConsole> {
  const server = await startServer(await emptyStore())
  const browser = await openPage(server.url)
  await browser.page.goto('/console/')
  await signIn(browser.page, server.email, server.password)
  await browser.page.getByRole('navigation', { name: 'Console' }).waitFor()
  return { ...browser, server }
}
