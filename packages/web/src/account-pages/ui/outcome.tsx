'use client'

import { createContext, useContext, useEffect } from 'react'

/** Takes back what has been done. */
export type Undo = (() => void) | undefined

/** Shows a toast, and answers what hides it. Null where the page has no place for toasts. */
export const ToastContext = createContext<((words: string, undo: Undo) => () => void) | null>(null)

interface Props {
  /** What went wrong. A screen reader reads it at once. */
  problem?: string
  /** What has been done. On a page with toasts it is one of them. */
  done?: string
  undo?: Undo
}

/**
 * The result of a form. Both lines are always there, so that a screen reader announces a change.
 */
export function Outcome({ problem = '', done = '', undo }: Props) {
  const said = problem ? '' : done
  const show = useContext(ToastContext)
  // The words say when there is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `undo` is another function on each render
  useEffect(() => (said ? show?.(said, undo) : undefined), [said, show])
  return (
    <div className="svc-small svc-outcome">
      {!show && (
        <p role="status" className="svc-faded">
          {said}
        </p>
      )}
      <p role="alert" className="svc-problem">
        {problem}
      </p>
    </div>
  )
}
