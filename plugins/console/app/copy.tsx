import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog, Field } from './forms.tsx'
import { Button, type ButtonProps, DropDown, Notice } from './parts.tsx'
import { ROOT } from './place.ts'
import { useUnsaved } from './unsaved.ts'

const SHOWN_MS = 3000

type CopyProps = { text: string; label?: string } & Omit<ButtonProps, 'label'>

/**
 * A button that copies a text of any length. Browsers let a page copy over HTTPS and on the own machine only; elsewhere the button
 * shows the text, selected.
 */
export function CopyButton({ text, label = 'Copy', ...button }: CopyProps) {
  const [done, setDone] = useState('')
  const [isShown, setShown] = useState(false)
  const close = () => setShown(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied')
      setTimeout(() => setDone(''), SHOWN_MS)
    } catch {
      setShown(true)
    }
  }
  const select = ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select()
  const shown = { rows: 12, dir: 'auto', readonly: true, autofocus: true, value: text, onFocus: select } as const
  return (
    <>
      <Button label={done || label} onClick={copy} aria-live="polite" {...button} />
      {isShown && (
        <Dialog title={label} onClose={close}>
          <div class="stack">
            <Field label="Press Ctrl+C to copy it" name="copied" {...shown} />
            <div class="row end">
              <Button label="Close" onClick={close} />
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** A text that is often copied, with a button that copies it. */
export const Copyable = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <span class="copyable">
    <code>{text}</code>
    <CopyButton kind="link" text={text} {...(label && { label })} />
  </span>
)

/** A command with a button that copies it. */
export const Snippet = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="snippet">
    <pre>{text}</pre>
    <CopyButton kind="icon" icon="copy" text={text} label="" aria-label={label} title={label} />
  </div>
)

interface OnceProps {
  readonly title: ComponentChildren
  readonly text: string
  readonly label: string
  /** What is pressed once it is kept elsewhere. */
  readonly seen?: string
  readonly onSeen: () => void
  readonly children?: ComponentChildren
}

/** What is shown once, which is not left before it was stored. */
export function ShownOnce({ title, text, label, seen = 'I have stored it', onSeen, children }: OnceProps) {
  const place = useRef<HTMLDivElement>(null)
  const unsaved = useUnsaved()
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
    if (place.current) unsaved.note(place.current)
  }, [])
  return (
    <div ref={place}>
      <Notice kind="warn">
        <div class="stack">
          <p>
            <strong>{title} now. It is not shown again.</strong>
          </p>
          <Copyable text={text} label={label} />
          {children}
          <div class="row">
            <Button label={seen} onClick={onSeen} />
          </div>
        </div>
      </Notice>
    </div>
  )
}

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
    <DropDown icon="code" label="Copy as">
      <CopyButton label="curl" text={asCurl(url, json)} />
      <CopyButton label="TypeScript" text={asTypeScript(url, json)} />
      <CopyButton label="Python" text={asPython(url, json)} />
    </DropDown>
  )
}

/** @param key as a shell reads it: a variable unless it is given */
export function asCurl(url: string, json: string, key = '$MNEME_API_KEY'): string {
  const quoted = json.replaceAll("'", `'\\''`)
  return `curl -X POST "${url}" \\
  -H "X-Api-Key: ${key}" -H "Content-Type: application/json" \\
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
