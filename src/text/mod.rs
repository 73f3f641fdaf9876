//! Row 2. What are the words of these bytes, and what of them may reach a terminal?
