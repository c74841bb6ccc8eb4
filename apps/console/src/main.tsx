import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { useFragmentPath, useFragmentSearch } from './layout/fragment-location.ts';
import { queries } from './queries.ts';
import { SessionProvider } from './session/session.tsx';
import './styles/index.css';

createRoot(document.querySelector('#console')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <Router hook={useFragmentPath} searchHook={useFragmentSearch}>
          <App />
        </Router>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
