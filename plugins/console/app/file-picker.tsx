import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './parts.tsx'
import { sizeOf } from './progress.tsx'

interface FilePickerProps {
  readonly label: string
  readonly hint: string
  readonly files: readonly File[]
  readonly onFiles: (files: File[]) => void
  readonly multiple?: boolean
}

/** A place where files are dropped or chosen, with those that are chosen by now. */
export function FilePicker({ label, hint, files, onFiles, multiple = false }: FilePickerProps) {
  const [isOver, setOver] = useState(false)
  const take = (taken: File[]) => {
    if (taken.length > 0) onFiles(multiple ? merged(files, taken) : taken.slice(0, 1))
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(filesOf(event.dataTransfer?.items ?? []))
  }
  const choose = ({ currentTarget }: JSX.TargetedEvent<HTMLInputElement>) => {
    take([...(currentTarget.files ?? [])])
    // The same file can be chosen again after it was removed.
    currentTarget.value = ''
  }
  return (
    <>
      <label class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
        <span>{label}</span>
        <input type="file" multiple={multiple} onChange={choose} />
        <small class="quiet">{hint}</small>
      </label>
      {files.length > 0 && (
        <ul class="plain" aria-label="Chosen files">
          {files.map(file => (
            <li key={keyOf(file)} class="row">
              <bdi>{file.name}</bdi> <span class="quiet">{sizeOf(file.size)}</span>
              <Button
                kind="link"
                label="Remove"
                aria-label={`Remove ${file.name}`}
                onClick={() => onFiles(files.filter(each => each !== file))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Folders are among what is dropped, and no file can be read from them. */
function filesOf(items: Iterable<DataTransferItem>): File[] {
  const files = [...items].filter(item => item.webkitGetAsEntry?.()?.isDirectory !== true).map(item => item.getAsFile())
  return files.filter(file => file !== null)
}

function merged(before: readonly File[], added: readonly File[]): File[] {
  const known = new Set(before.map(keyOf))
  return [...before, ...added.filter(file => !known.has(keyOf(file)))]
}

const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`
