//! adequacy
