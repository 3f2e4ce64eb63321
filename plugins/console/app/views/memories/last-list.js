import { chosenWorkspace } from '../../api.ts'

let last = { workspace: undefined, words: '' }

/** Keeps the filters and the page of the list that is shown. */
export function rememberList() {
  last = { workspace: chosenWorkspace(), words: location.search }
}

/** The address of the list as it was last shown in this workspace. */
export const lastList = () => `/memories${last.workspace === chosenWorkspace() ? last.words : ''}`
