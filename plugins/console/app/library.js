/** Preact with its hooks and HTML templates. */
export { html } from 'htm/preact'
export { render } from 'preact'
export { useCallback, useEffect, useErrorBoundary, useMemo, useRef, useState } from 'preact/hooks'
