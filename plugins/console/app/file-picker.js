import { html, useState } from './library.js'
import { Button } from './parts.tsx'
import { sizeOf } from './progress.js'

/**
 * A place where files are dropped or chosen, with those that are chosen by now.
 *
 * @param {{label: string, hint: string, files: File[], onFiles: (files: File[]) => void, multiple?: boolean}} props
 */
export function FilePicker({ label, hint, files, onFiles, multiple = false }) {
  const [isOver, setOver] = useState(false)
  const take = list => {
    const taken = [...list]
    if (taken.length > 0) onFiles(multiple ? merged(files, taken) : taken.slice(0, 1))
  }
  const over = event => {
    event.preventDefault()
    setOver(true)
  }
  const drop = event => {
    event.preventDefault()
    setOver(false)
    take(filesOf(event.dataTransfer))
  }
  const choose = event => {
    take(event.target.files)
    // The same file can be chosen again after it was removed.
    event.target.value = ''
  }
  const leave = () => setOver(false)
  return html`<label class=${isOver ? 'drop over' : 'drop'} onDragOver=${over} onDragLeave=${leave} onDrop=${drop}>
      <span>${label}</span>
      <input type="file" multiple=${multiple} onChange=${choose} />
      <small class="quiet">${hint}</small>
    </label>
    ${files.length > 0 && html`<${Chosen} files=${files} onFiles=${onFiles} />`}`
}

/** Folders are among what is dropped, and no file can be read from them. */
function filesOf({ items }) {
  const files = [...items].filter(item => item.webkitGetAsEntry?.()?.isDirectory !== true).map(item => item.getAsFile())
  return files.filter(file => file !== null)
}

function Chosen({ files, onFiles }) {
  return html`<ul class="plain" aria-label="Chosen files">
    ${files.map(
      file => html`<li key=${keyOf(file)} class="row">
        <span dir="auto">${file.name}</span>
        <span class="quiet">${sizeOf(file.size)}</span>
        <${Button}
          kind="link"
          aria-label=${`Remove ${file.name}`}
          onClick=${() => onFiles(files.filter(each => each !== file))}
        >
          Remove
        <//>
      </li>`,
    )}
  </ul>`
}

function merged(before, added) {
  const known = new Set(before.map(keyOf))
  return [...before, ...added.filter(file => !known.has(keyOf(file)))]
}

const keyOf = ({ name, size, lastModified }) => `${name} ${size} ${lastModified}`
