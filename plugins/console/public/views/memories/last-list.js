let words = ''

/** Keeps the filters and the page of the list that is shown. */
export function rememberList() {
  words = location.search
}

/** The address of the list as it was last shown. */
export const lastList = () => `/memories${words}`
