import { chromium, type Page } from 'playwright-core'
import { oncePerRun, onEnd } from './closing.ts'

/** The browser of the system's packages: nothing is downloaded. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** As root, and where a container has little shared memory. */
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

/** Pages wait so long, in milliseconds, for what they are told to find. */
const WAIT_MS = 60_000

/** A page of a browser of its own, with what went wrong in it. */
export interface BrowserPage {
  readonly page: Page
  /** Errors that no script caught, and what the policy of pages refused. */
  readonly faults: readonly string[]
}

export async function openPage(base: string): Promise<BrowserPage> {
  const browser = await oncePerRun('browser', async () => {
    const launched = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: WAIT_MS })
    onEnd(() => launched.close())
    return launched
  })
  const context = await browser.newContext({ baseURL: base, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
  })
  return { page, faults }
}

/** Fills in the sign-in once it is shown. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
