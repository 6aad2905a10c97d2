import { type KeyboardEvent, useRef, useState } from 'react'
import type { Notice } from '../api.ts'
import { usePostNotice } from './use-post-notice.ts'

interface Props {
  onPosted: (notice: Notice) => void
  onFailed: (error: unknown) => void
}

const longest = 500

export function NoticeForm({ onPosted, onFailed }: Props) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const { post, isPosting, success, problem } = usePostNotice({
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
        New notice
      </label>
      <textarea
        id="text"
        ref={field}
        rows={3}
        value={text}
        placeholder="What should everyone know?"
        aria-describedby="length problem"
        aria-invalid={length > longest}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={submitOnModifiedEnter}
        className="field-sizing-content block min-h-26 w-full resize-none rounded-xl border border-edge bg-sheet px-4 py-3 leading-relaxed placeholder:text-faded hover:border-faded aria-invalid:border-danger"
      />
      <div className="mt-3 flex items-start justify-between gap-4 text-sm">
        <div className="py-2">
          <p id="length" className={length > longest ? 'text-danger' : 'text-faded'}>
            <span className="tabular-nums">{length}</span> of {longest} characters
          </p>
          <p role="status" className="text-accent">
            {success}
          </p>
          <p role="alert" id="problem" className="text-danger">
            {problem}
          </p>
        </div>
        <button
          type="submit"
          aria-disabled={isPosting}
          className="shrink-0 rounded-lg bg-accent px-5 py-2 font-medium text-on-accent hover:opacity-90 aria-disabled:opacity-60"
        >
          {isPosting ? 'Posting…' : 'Post'}
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
