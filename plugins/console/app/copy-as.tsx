import { CopiedText } from './copied-text.js'
import { Icon } from './icons.tsx'
import { closeByEscape } from './keys.ts'
import { ROOT } from './place.ts'

interface CopyAsProps {
  readonly path: string
  /** It is sent as the JSON of a POST; members that are undefined are left out. */
  readonly body: object
}

/** Copies a request as people send it from elsewhere, with the key in a variable. */
export function CopyAs({ path, body }: CopyAsProps) {
  const url = `${location.origin}${ROOT}${path}`
  const json = JSON.stringify(body, null, 2)
  return (
    <details class="drop-down" onKeyDown={closeByEscape}>
      <summary class="button">
        <Icon name="code" /> Copy as
      </summary>
      <div class="card stack">
        <CopiedText label="curl" text={asCurl(url, json)} />
        <CopiedText label="TypeScript" text={asTypeScript(url, json)} />
        <CopiedText label="Python" text={asPython(url, json)} />
      </div>
    </details>
  )
}

function asCurl(url: string, json: string): string {
  const quoted = json.replaceAll("'", `'\\''`)
  return `curl -X POST "${url}" \\
  -H "X-Api-Key: $MNEME_API_KEY" -H "Content-Type: application/json" \\
  -d '${quoted}'`
}

function asTypeScript(url: string, json: string): string {
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'X-Api-Key': process.env.MNEME_API_KEY ?? '', 'Content-Type': 'application/json' },
  body: JSON.stringify(${json}),
})
console.log(await response.json())`
}

/** What comes of JSON differs in Python for three words alone, which is why it stays a text there. */
function asPython(url: string, json: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="POST",
    headers={"X-Api-Key": os.environ["MNEME_API_KEY"], "Content-Type": "application/json"},
    data=json.dumps(json.loads(r"""${json.replaceAll('"""', '\\u0022\\u0022\\u0022')}""")).encode(),
)
print(json.load(urllib.request.urlopen(request)))`
}
