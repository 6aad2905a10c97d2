import type { AuthSession } from '@svc/auth'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Board, Notice } from '../api.ts'
import { Linked, useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { PostOutcome, usePostNotice } from './posting.tsx'

interface ComposerProps {
  session: AuthSession | null
  board: Board
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

/** The form for users who may post. Others see how they can. */
export function Composer({ session, board, ...rest }: ComposerProps) {
  const words = useWords('board')
  return (
    <section aria-label={words.composer} className="mt-8">
      {!session && (
        <p className="rounded-xl border border-line bg-sheet p-5">
          <Linked words={words.signInToPost} isAlone href="/login" />
        </p>
      )}
      {session && !board.mayWrite && <ReadersOnly />}
      {session && board.mayWrite && <NoticeForm userId={session.userId} board={board} {...rest} />}
    </section>
  )
}

function ReadersOnly() {
  const board = useWords('board')
  return <p className="mt-4 rounded-xl border border-line bg-sheet p-5">{board.readersOnly}</p>
}

interface Props {
  userId: string
  board: Board
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

const longest = 500

function NoticeForm({ userId, board, onPosted, onFailed }: Props) {
  const words = useWords('board')
  const [text, setText] = useDraft(`${userId} ${board.org ?? ''}`.trim())
  const field = useRef<HTMLTextAreaElement>(null)
  const { post, isPosting, success, failure } = usePostNotice({
    onPosted: (notice) => {
      setText('')
      onPosted(notice)
    },
    onFailed,
    org: board.org,
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
        {words.newNotice}
      </label>
      <textarea
        id="text"
        ref={field}
        rows={3}
        value={text}
        placeholder={words.placeholder}
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
            {fill(words.length, { length, longest })}
          </p>
          <div id="problem">
            <PostOutcome success={success} failure={failure} returnTo={board.path} />
          </div>
        </div>
        <button
          type="submit"
          aria-disabled={isPosting}
          className="shrink-0 rounded-lg bg-accent px-5 py-2 font-medium text-on-accent hover:opacity-90 aria-disabled:opacity-60"
        >
          {isPosting ? words.posting : words.post}
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
 * the page. Each account has its own for each board, because another user may be the next to sign in here.
 */
function useDraft(owner: string) {
  const [draft, setDraft] = useState('')
  const name = `notice draft of ${owner}`
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
