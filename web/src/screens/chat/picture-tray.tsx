import { ImagePlus, X } from 'lucide-react';
import { useRef } from 'react';
import type { ChosenPicture } from '../../api/chosen-pictures.ts';
import { IconButton } from '../../ui/button.tsx';

/** The pictures that go with the message. */
export function PictureTray({
  chosen,
  onRemove,
}: {
  chosen: readonly ChosenPicture[];
  onRemove(picture: ChosenPicture): void;
}) {
  if (chosen.length === 0) return null;
  return (
    <ul aria-label="Pictures to send" className="flex flex-wrap gap-2 px-2 pt-1 pb-2">
      {chosen.map((picture, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
        <li key={at} className="relative">
          <img
            src={picture.url}
            alt={picture.name}
            title={picture.name}
            className="size-16 rounded-md border object-cover"
          />
          <IconButton
            label={`Remove ${picture.name}`}
            onClick={() => onRemove(picture)}
            className="absolute! -top-1.5 -right-1.5 size-5! rounded-full border bg-raised"
          >
            <X size={11} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** Chooses pictures from this machine. */
export function PictureButton({ onChoose }: { onChoose(files: readonly File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label="Pictures"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton label="Add a picture" onClick={() => input.current?.click()} className="size-8!">
        <ImagePlus size={15} />
      </IconButton>
    </>
  );
}
