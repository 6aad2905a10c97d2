import { Button, Field } from '@svc/web/account'
import { type FormEvent, useState } from 'react'
import { PostOutcome, usePostNotice } from '../board/posting.tsx'
import { useWords } from '../words/languages.tsx'

/** Posts a notice, to see it arrive. */
export function PostForm() {
  const board = useWords('board')
  const [text, setText] = useState('')
  const { post, isPosting, success, failure } = usePostNotice({ onPosted: () => setText('') })

  function submit(event: FormEvent) {
    event.preventDefault()
    void post(text.trim())
  }

  return (
    <form noValidate onSubmit={submit}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <Field
            label={board.newNotice}
            name="notice"
            maxLength={500}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className="mt-7 grid h-10.5">
          <Button type="submit" look="primary" isBusy={isPosting}>
            {isPosting ? board.posting : board.post}
          </Button>
        </div>
      </div>
      <div className="mt-2 min-h-5">
        <PostOutcome success={success} failure={failure} returnTo="/live" />
      </div>
    </form>
  )
}
