// `mneme install opencode` puts this file here, and `mneme uninstall opencode` removes it.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { openCodePlugin } = await import(pathToFileURL(join(homedir(), '.mneme', 'mneme.mjs')).href)

export const Mneme = openCodePlugin
