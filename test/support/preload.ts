import { afterAll } from 'bun:test'
import { closeAll } from './closing.ts'

afterAll(closeAll)
