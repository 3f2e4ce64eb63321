import { describe, expect, test } from 'bun:test'
import { encode, faultOf, textOf, warningsOf } from '../fixtures.test-support.ts'

const ESCAPE = String.fromCharCode(27)
const code = (source: string[], outputs: unknown[] = []) => ({ cell_type: 'code', source, outputs })
const notebook = JSON.stringify({
  nbformat: 4,
  cells: [
    { cell_type: 'markdown', source: ['# Ships\n', '\n', 'What **sails** from Ghent.'] },
    code(
      ['import ships\n', 'ships.plot()'],
      [
        {
          output_type: 'display_data',
          data: { 'image/png': 'iVBORw0KGgo'.repeat(200), 'text/plain': ['<Figure size 640x480>'] },
        },
      ],
    ),
    code(
      ['ships.load()'],
      [
        { output_type: 'stream', text: [`${ESCAPE}[32mloaded\n`, ' 10%\r 50%\r100%\n'] },
        {
          output_type: 'execute_result',
          data: {
            'text/html':
              '<table><tr><th>name</th><th>tons</th></tr><tr><td>Leie</td><td>90</td></tr><tr><td>Dender</td><td>70</td></tr></table>',
            'text/plain': '  name tons\n0 Leie 90',
          },
        },
        { output_type: 'error', ename: 'KeyError', evalue: "'port'", traceback: [`${ESCAPE}[0;31mKeyError`] },
      ],
    ),
  ],
})

describe('a notebook', () => {
  test('is read by its cells: text, code with its lines, and what it printed', async () => {
    const read = await textOf('IPYNB', notebook)
    expect(read).toContain('What sails from Ghent.')
    expect(read).toContain('import ships\nships.plot()')
    expect(read).toContain('loaded\n100%')
    expect(read).toContain('name: Leie; tons: 90')
    expect(read).toContain("KeyError: 'port'")
    expect(read).not.toMatch(/iVBOR|Figure|50%|\[32m|cell_type/)
    expect(await warningsOf('IPYNB', encode(notebook))).toEqual(['1 of its outputs is a picture and left out.'])
  })

  test('of version 3 has its cells in worksheets, and forms of outputs under short names', async () => {
    const old = {
      nbformat: 3,
      worksheets: [
        {
          cells: [
            { cell_type: 'heading', level: 2, source: 'Bridges' },
            { cell_type: 'code', input: 'count()', outputs: [{ output_type: 'pyout', text: ['42 bridges'] }] },
          ],
        },
      ],
    }
    expect(await textOf('IPYNB', JSON.stringify(old))).toBe('Bridges\n\ncount()\n\n42 bridges')
  })

  test('that is none, or is cut off, says so', async () => {
    expect(await faultOf('IPYNB', '{"a": 1}')).toBe('FORMAT_MISMATCH')
    expect(await faultOf('IPYNB', notebook.slice(0, -20))).toBe('CORRUPT_FILE')
    expect(await faultOf('IPYNB', '['.repeat(400))).toBe('LIMIT_EXCEEDED')
  })
})
