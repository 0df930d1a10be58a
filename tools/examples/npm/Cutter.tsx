// SPDX-License-Identifier: MIT
//
// Cutter.tsx - the editor in React 18 and 19. Copy node_modules/tilecut/editor to public/tilecut-editor first.
import {useEffect, useRef} from 'react';
import type {SaveDetail, TilecutEditor} from 'tilecut/editor';
import 'tilecut/editor';

export function Cutter({photo, onSave}: {photo: Blob, onSave: (saved: SaveDetail) => void}) {
  const host = useRef<HTMLDivElement>(null), editor = useRef<TilecutEditor | null>(null);
  useEffect(() => {
    const element = document.createElement('tilecut-editor');
    element.setAttribute('base', '/tilecut-editor/');
    element.style.height = '100%';
    host.current?.append(element);
    editor.current = element;
    return () => element.remove();
  }, []);
  useEffect(() => { void editor.current?.open(photo); }, [photo]);
  useEffect(() => {
    const element = editor.current, save = ({detail}: CustomEvent<SaveDetail>) => onSave(detail);
    element?.addEventListener('save', save);
    return () => element?.removeEventListener('save', save as EventListener);
  }, [onSave]);
  return <div ref={host} style={{height: '80vh'}} />;
}
