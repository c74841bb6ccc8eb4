import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from '../queries.ts';
import '../styles/index.css';
import { startTexts } from './languages.ts';
import { PersonPage } from './person-page.tsx';

await startTexts(navigator.languages);
createRoot(document.querySelector('#me')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <PersonPage />
    </QueryClientProvider>
  </StrictMode>,
);
