import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Notice } from '../api.ts'
import { useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { PostOutcome } from './post-outcome.tsx'
import { usePostNotice } from './use-post-notice.ts'

interface Props {
  userId: string
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

const longest = 500

export function NoticeForm({ userId, onPosted, onFailed }: Props) {
  const board = useWords('board')
  const [text, setText] = useDraft(userId)
  const field = useRef<HTMLTextAreaElement>(null)
  const { post, isPosting, success, failure } = usePostNotice({
    onPosted: (notice) => {
      setText('')
      onPosted(notice)
    },
    onFailed,
  })
  // As the API counts, in code points.
  const length = Array.from(text.trim()).length

  return (
    <form
      noValidate
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        field.current?.focus()
        void post(text.trim())
      }}
    >
      <label htmlFor="text" className="mb-2 block font-medium text-sm">
        {board.newNotice}
      </label>
      <textarea
        id="text"
        ref={field}
        rows={3}
        value={text}
        placeholder={board.placeholder}
        aria-describedby="length problem"
        aria-invalid={length > longest}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={submitOnModifiedEnter}
        className="field-sizing-content block min-h-26 w-full resize-none rounded-xl border border-edge bg-sheet px-4 py-3 leading-relaxed placeholder:text-faded hover:border-faded aria-invalid:border-danger"
      />
      <div className="mt-3 flex items-start justify-between gap-4 text-sm">
        <div className="py-2">
          <p
            id="length"
            className={`tabular-nums ${length > longest ? 'text-danger' : 'text-faded'}`}
          >
            {fill(board.length, { length, longest })}
          </p>
          <div id="problem">
            <PostOutcome success={success} failure={failure} returnTo="/" />
          </div>
        </div>
        <button
          type="submit"
          aria-disabled={isPosting}
          className="shrink-0 rounded-lg bg-accent px-5 py-2 font-medium text-on-accent hover:opacity-90 aria-disabled:opacity-60"
        >
          {isPosting ? board.posting : board.post}
        </button>
      </div>
    </form>
  )
}

function submitOnModifiedEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.currentTarget.form?.requestSubmit()
  }
}

/**
 * What the user is writing, kept in this tab until it is posted: signing in again leads away from
 * the page. Each account has its own, because another user may be the next to sign in here.
 */
function useDraft(userId: string) {
  const [draft, setDraft] = useState('')
  const name = `notice draft of ${userId}`
  // Not while rendering: the server has no storage, and both must render the same output.
  useEffect(() => {
    const kept = stored(() => sessionStorage.getItem(name))
    if (kept) setDraft(kept)
  }, [name])

  const keep = useCallback(
    (text: string) => {
      setDraft(text)
      stored(() => (text ? sessionStorage.setItem(name, text) : sessionStorage.removeItem(name)))
    },
    [name],
  )
  return [draft, keep] as const
}

/** A browser may refuse storage. Then a draft is kept only as long as its page. */
function stored<Result>(use: () => Result) {
  try {
    return use()
  } catch {
    return null
  }
}
