/** Preact with its hooks and HTML templates, as the installed package has them. */
export {
  html,
  render,
  useCallback,
  useEffect,
  useErrorBoundary,
  useMemo,
  useRef,
  useState,
} from '../../console-lib/standalone.module.js'
