/** Words before the number of a page. */
export const PAGE_WORDS = ['page', 'seite', 'página', 'pagina', 'p\\.?', 's\\.?']

/** Words between the number of a page and how many there are. */
export const PAGE_COUNT_WORDS = 'of von de di sur'.split(' ')
