let section = ''
let thing: string | undefined

/** Names the part of the console that is open. */
export function nameSection(title: string): void {
  section = title
  thing = undefined
  write()
}

/** Names the thing that the page is about, so that tabs and the history tell them apart. */
export function nameDocument(title: string | undefined): void {
  thing = title
  write()
}

function write(): void {
  const names = [thing, section, 'Mneme'].filter((name, n, all) => name && all.indexOf(name) === n)
  document.title = names.join(' – ')
}
